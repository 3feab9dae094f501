import { parseArgs } from 'node:util';
import { refuseReplaced } from './configuration-file-flags.ts';
import { boolean, type Flag, type FlagValues, optionalText, UsageError } from './flag.ts';
import { MEANINGLESS_FLAGS, type MeaninglessFlag } from './meaningless-flags.ts';
import { DEFAULT_SETTINGS, FLAG_ROWS as rows, type Settings } from './settings.ts';
import { sizeText } from './units.ts';

export type Rows = readonly (readonly [option: string, flag: Flag<unknown>])[];

/** Reads a command line. Throws a UsageError naming the flag that is unknown, incomplete or does not fit. */
export const readSettings = (args: readonly string[]): Settings => readCommandLine(args).settings;

/** A command line, and what its writer should know about it, a line each. */
export interface ReadCommandLine {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** As `readSettings`. Flags of other servers of this interface that mean nothing here are passed over with a warning. */
export function readCommandLine(args: readonly string[]): ReadCommandLine {
  const { given, ignored } = readFlags(rows, args, MEANINGLESS_FLAGS);
  refuseReplaced(new Map(rows.filter(([option]) => Object.hasOwn(given, option))));
  const settings: Settings = { ...DEFAULT_SETTINGS, ...given };
  return { settings, warnings: warningsOf(settings, ignored) };
}

/** What the writer of settings should know about them, and about the flags that were passed over. */
export function warningsOf(settings: Settings, ignored: readonly string[]): readonly string[] {
  const warnings = ignored.map((name) => `--${name} has no effect: ${MEANINGLESS_FLAGS[name]?.why}`);
  if (settings.admissionControl.length > 0) {
    warnings.push('--admission-control is deprecated: use --enable-admission-plugins and --disable-admission-plugins');
  }
  return warnings;
}

/** As `readSettings`, for another table. */
export function readTable<T extends Readonly<Record<string, Flag<unknown>>>>(
  table: T,
  args: readonly string[],
): FlagValues<T> {
  const entries = Object.entries(table);
  const defaults = entries.map(([option, { fallback }]) => [option, fallback]);
  return { ...Object.fromEntries(defaults), ...readFlags(entries, args).given } as FlagValues<T>;
}

/** What was given, by option, and the flags that were passed over. */
export function readFlags(
  rows: Rows,
  args: readonly string[],
  meaningless: Readonly<Record<string, MeaninglessFlag>> = {},
): { readonly given: Record<string, unknown>; readonly ignored: readonly string[] } {
  const names = [...rows.map(([, { name }]) => name), ...Object.keys(meaningless)];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { tokens } = parseArgs({
    args: withValues(rows, meaningless, args),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, unknown>();
  const ignored = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`unexpected argument "${token.value}"`);
    if (token.kind !== 'option') continue;
    const row = rows.find(([, { name }]) => name === token.name);
    if (!row && Object.hasOwn(meaningless, token.name)) {
      ignored.add(token.name);
      continue;
    }
    if (!row) throw new UsageError(`unknown flag ${token.rawName}; --help lists all`);
    if (token.value === undefined) throw new UsageError(`--${token.name} needs a value`);
    const value = row[1].read(token.value);
    const earlier = given.get(row[0]);
    // Lists add up, as if all of it had been given at once.
    given.set(row[0], Array.isArray(value) && Array.isArray(earlier) ? [...earlier, ...value] : value);
  }
  return { given: Object.fromEntries(given), ignored: [...ignored] };
}

/** A boolean flag may stand alone. */
function withValues(
  rows: Rows,
  meaningless: Readonly<Record<string, MeaninglessFlag>>,
  args: readonly string[],
): string[] {
  return args.map((argument) => {
    const flag = rows.find(([, { name }]) => argument === `--${name}`)?.[1];
    const passedOver = Object.hasOwn(meaningless, argument.slice(2)) ? meaningless[argument.slice(2)] : undefined;
    const standsAlone = typeof flag?.fallback === 'boolean' || (argument.startsWith('--') && passedOver?.isSwitch);
    return standsAlone ? `${argument}=true` : argument.replace(/^-v=/, '--v=');
  });
}

/** Where further settings are, and whether to show what all of them come to. No file has these itself. */
export const FILE_FLAGS = {
  config: optionalText(
    'config',
    'FILE',
    'YAML with a field for each flag to set; flags on the command line count more',
  ),
  printConfig: boolean('print-config', false, 'show all settings, as such a file has them, and start nothing'),
} as const;

export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

const shown = (fallback: unknown): string => {
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '');
  return text === '' ? '' : ` (default ${text})`;
};

/** Amounts in the units that people write them in. */
const READABLE: Readonly<Record<string, (amount: number) => string>> = {
  DURATION: (milliseconds) => `${milliseconds / 1000}s`,
  SIZE: sizeText,
};

function shownDefault({ value, fallback }: Flag<unknown>): string {
  const readable = READABLE[value];
  return shown(readable && typeof fallback === 'number' ? readable(fallback) : fallback);
}

/** A line for each flag of a table, and how far to the right what they do begins. */
function flagLines(rows: Rows): { readonly lines: readonly string[]; readonly width: number } {
  const left = rows.map(([, { name, value }]) => `  --${name}=${value}`);
  const width = Math.max(...left.map(({ length }) => length)) + 2;
  return {
    width,
    lines: rows.map(([, flag], at) => `${(left[at] ?? '').padEnd(width)}${flag.help}${shownDefault(flag)}`),
  };
}

/** A line for each flag of another table. */
export const tableHelp = (table: Readonly<Record<string, Flag<unknown>>>): string =>
  `${flagLines(Object.entries(table)).lines.join('\n')}\n`;

export function helpText(): string {
  const { lines, width } = flagLines(rows);
  return [
    'usage: platform-apiserver [flags]',
    '       platform-apiserver test [flags] [--kubeconfig-out=FILE] -- COMMAND [ARGUMENTS]',
    '       platform-apiserver doctor [--data-dir=DIRECTORY | --kubeconfig=FILE] [-o text|json]',
    '       platform-apiserver compact [--data-dir=DIRECTORY]',
    '       platform-apiserver controllers --kubeconfig=FILE [flags]',
    '       platform-apiserver snapshot save|restore|inspect FILE [--data-dir=DIRECTORY] [--vocabulary=NAME]',
    '       platform-apiserver migrate-storage --kubeconfig=FILE [flags]',
    '       platform-apiserver migrate --to=etcd|lmdb --etcd-servers=URLS [--data-dir=DIRECTORY]',
    '',
    ...lines,
    ...Object.values(FILE_FLAGS).map(({ name, value, help }) => `  --${name}=${value}`.padEnd(width) + help),
    `${'  -h, --help'.padEnd(width)}show this text`,
    `${'  --version'.padEnd(width)}show the version of this program`,
    '',
  ].join('\n');
}
