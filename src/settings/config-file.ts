import { open } from 'node:fs/promises';
import { readYaml } from '../codec/yaml-text.ts';
import { writeYaml } from '../codec/yaml-writing.ts';
import { isObject } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { FILE_FLAGS, type ReadCommandLine, readFlags, warningsOf } from './command-line.ts';
import { refuseReplaced } from './configuration-file-flags.ts';
import { type Flag, type FlagValues, UsageError } from './flag.ts';
import { MEANINGLESS_FLAGS } from './meaningless-flags.ts';
import { DEFAULT_SETTINGS, FLAG_ROWS, type Settings } from './settings.ts';

const MOST_BYTES = 1 << 20;
const LIMITS = { deepest: 8, values: 10_000, entries: 1_000 };

type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** What a command makes of its line besides what the server itself does. */
export interface LineOptions<T extends FlagTable> {
  /** Settings of those that neither the line nor a file gives. */
  readonly defaults?: Partial<Settings>;
  /** Further flags of the line; files do not have them. */
  readonly also?: T;
}

/** The settings of a command line and of the file that it names. */
export interface ConfiguredLine<T extends FlagTable> extends ReadCommandLine {
  /** The options that the line or the file gives, by their names in `Settings`. */
  readonly given: ReadonlySet<string>;
  /** Whether the settings are only to be shown. */
  readonly isToPrint: boolean;
  readonly also: FlagValues<T>;
}

/**
 * Reads a command line, and the configuration file it names if it does. What the line says counts more than the file, also
 * of lists, and the file more than `defaults`. Rejects with a UsageError of one line that names the flag, and the file if
 * that is at fault.
 */
export async function readConfiguredLine<T extends FlagTable = Readonly<Record<string, never>>>(
  args: readonly string[],
  { defaults = {}, also }: LineOptions<T> = {},
): Promise<ConfiguredLine<T>> {
  const further = Object.entries(also ?? {});
  const { given, ignored } = readFlags(
    [...further, ...FLAG_ROWS, ...Object.entries(FILE_FLAGS)],
    args,
    MEANINGLESS_FLAGS,
  );
  const onLine = Object.fromEntries(
    Object.entries(given).filter(([option]) => Object.hasOwn(DEFAULT_SETTINGS, option)),
  );
  const inFile = typeof given.config === 'string' ? await readConfigFile(given.config) : {};
  // What a file says is as good as not said where it is so anyway: it may be one that was printed, with everything in it.
  const isMeant = ([option]: (typeof FLAG_ROWS)[number]): boolean =>
    Object.hasOwn(onLine, option) ||
    (Object.hasOwn(inFile, option) && !sameJson(Reflect.get(inFile, option), Reflect.get(DEFAULT_SETTINGS, option)));
  refuseReplaced(new Map(FLAG_ROWS.filter(isMeant)));
  const settings: Settings = { ...DEFAULT_SETTINGS, ...defaults, ...inFile, ...onLine };
  return {
    settings,
    warnings: warningsOf(settings, ignored),
    given: new Set([...Object.keys(inFile), ...Object.keys(onLine)]),
    isToPrint: given.printConfig === true,
    also: Object.fromEntries(
      further.map(([option, { fallback }]) => [option, given[option] ?? fallback]),
    ) as FlagValues<T>,
  };
}

/** What a configuration file sets. Rejects with a UsageError that names the file and what is wrong with it. */
export async function readConfigFile(file: string): Promise<Partial<Settings>> {
  try {
    const { value, repeated } = await readYaml(await readText(file), LIMITS);
    if (repeated.length > 0) throw new UsageError(`${repeated[0]} stands there twice`);
    if (value === null) return {};
    if (!isObject(value)) throw new UsageError('it must hold a map of flags to values');
    return Object.fromEntries(Object.entries(value).map(([name, given]) => readEntry(name, given)));
  } catch (error) {
    // The reader of YAML is that of requests, and calls a document a body.
    const why = error instanceof Error ? error.message.replace(/^the body is/, 'it is') : String(error);
    throw new UsageError(`${file}: ${why}`, { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(MOST_BYTES + 1) });
    if (bytesRead > MOST_BYTES) throw new UsageError(`it is larger than ${MOST_BYTES} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const LONGEST_SHOWN = 80;

function readEntry(name: string, given: unknown): [option: string, value: unknown] {
  const row = FLAG_ROWS.find(([, flag]) => flag.name === name);
  if (!row) throw new UsageError(`there is no flag --${name.slice(0, LONGEST_SHOWN)}; --help lists all`);
  const [option, flag] = row;
  const read = flag.form.read(given, flag);
  if (read) return [option, read.value];
  const shown = JSON.stringify(given).slice(0, LONGEST_SHOWN);
  throw new UsageError(`--${name} must be ${flag.form.expects(flag)}, not ${shown}`);
}

/** What a URL says before the host may be a password. */
const CREDENTIALS = /\/\/[^/@\s]*@/g;

/** Settings as a configuration file has them. Those that are not set are left out. Flags name files; none holds a secret. */
export function writeConfig(settings: Settings): Promise<string> {
  const entries = FLAG_ROWS.map(([option, { name, form }]): [string, unknown] => {
    const value = settings[option as keyof Settings];
    return [name, value === undefined ? undefined : masked(form.write(value))];
  });
  return writeYaml(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  return typeof value === 'string' ? value.replace(CREDENTIALS, '//***@') : value;
}
