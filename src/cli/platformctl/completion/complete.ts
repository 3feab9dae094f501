import type { Runtime } from '../../../runtime/runtime.ts';
import type { FlagValues } from '../../../settings/flag.ts';
import type { Command, CommandTable } from '../frame/command.ts';
import { readLine, type ShellFlag } from '../frame/flags.ts';
import { GLOBAL_FLAGS } from '../frame/global-flags.ts';
import { type Io, write } from '../frame/io.ts';
import { Session } from '../frame/session.ts';
import type { Candidate, Completion } from './candidate.ts';
import { LiveNames } from './live-names.ts';

/** Prints what may stand where the last word does: a line for each, and one that starts with a colon. */
export async function completeLine(
  words: readonly string[],
  io: Io,
  runtime: Runtime,
  commands: CommandTable,
): Promise<number> {
  const completion = await completionOf(words, io, runtime, commands).catch(() => []);
  const candidates = completion === 'files' ? [] : completion;
  const lines = candidates.map(({ word, about = '' }) => (about === '' ? word : `${word}\t${about}`));
  const closing = completion === 'files' ? ':files' : candidates.some(({ isOpen }) => isOpen) ? ':open' : ':done';
  await write(io.stdout, [...lines, closing].map((line) => `${line}\n`).join(''));
  return 0;
}

async function completionOf(
  words: readonly string[],
  io: Io,
  runtime: Runtime,
  commands: CommandTable,
): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return 'files';
  const { name, args } = commandIn(before, commands);
  const command = name === '' ? undefined : await commands[name]?.load();
  const flags: Readonly<Record<string, ShellFlag<unknown>>> = { ...GLOBAL_FLAGS, ...command?.flags };
  const session = sessionOf(before, io, runtime);
  try {
    return await new LineCompletion(new LiveNames(session, commands), flags, command, args).complete(
      current,
      before,
      () => nextWords(name === '' ? before.filter((word) => !word.startsWith('-')) : [name], commands),
    );
  } finally {
    session.close();
  }
}

/** The plane that the line is about, as far as it has been typed. */
function sessionOf(before: readonly string[], io: Io, runtime: Runtime): Session {
  const mine = before.filter((word, at) => isGlobal(word) || isGlobal(before[at - 1] ?? ''));
  let flags: Readonly<Record<string, unknown>>;
  try {
    ({ flags } = readLine(GLOBAL_FLAGS, mine));
  } catch {
    ({ flags } = readLine(GLOBAL_FLAGS, []));
  }
  return new Session(io, runtime, flags as FlagValues<typeof GLOBAL_FLAGS>);
}

const GLOBAL_NAMES: ReadonlySet<string> = new Set(
  Object.values(GLOBAL_FLAGS as Readonly<Record<string, ShellFlag<unknown>>>).flatMap(({ name, short }) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]),
);
const isGlobal = (word: string): boolean => GLOBAL_NAMES.has(word.split('=')[0] ?? '');

/** The command that has been typed, and the words after it that are no flags. */
function commandIn(before: readonly string[], commands: CommandTable): { name: string; args: string[] } {
  const plain = before.filter((word, at) => !word.startsWith('-') && !takesValue(before[at - 1] ?? ''));
  for (let count = Math.min(3, plain.length); count > 0; count--) {
    const name = plain.slice(0, count).join(' ');
    if (Object.hasOwn(commands, name)) return { name, args: plain.slice(count) };
  }
  return { name: '', args: plain };
}

/** Of flags that many commands have; the value of another is taken for an argument, which does no harm here. */
const takesValue = (word: string): boolean =>
  ['-n', '-o', '-l', '-f', '-c', '-L', '-s'].includes(word) || (GLOBAL_NAMES.has(word) && word.startsWith('--'));

/** Words that go on with the name of a command. */
function nextWords(typed: readonly string[], commands: CommandTable): Candidate[] {
  const start = typed.length === 0 ? '' : `${typed.join(' ')} `;
  const found = new Map<string, string>();
  for (const [name, { summary, isHidden }] of Object.entries(commands)) {
    if (!name.startsWith(start) || isHidden) continue;
    const [word = '', ...more] = name.slice(start.length).split(' ');
    if (!found.has(word)) found.set(word, more.length === 0 ? summary : '');
  }
  return [...found].map(([word, about]) => ({ word, about }));
}

class LineCompletion {
  readonly #names: LiveNames;
  readonly #flags: Readonly<Record<string, ShellFlag<unknown>>>;
  readonly #command: Command | undefined;
  readonly #args: readonly string[];

  constructor(
    names: LiveNames,
    flags: Readonly<Record<string, ShellFlag<unknown>>>,
    command: Command | undefined,
    args: readonly string[],
  ) {
    this.#names = names;
    this.#flags = flags;
    this.#command = command;
    this.#args = args;
  }

  async complete(current: string, before: readonly string[], commands: () => Candidate[]): Promise<Completion> {
    const asked = this.#flagOf(before.at(-1) ?? '');
    if (asked && asked.alone === undefined) return withStart(current, await this.#values(asked));
    const equals = current.indexOf('=');
    if (current.startsWith('--') && equals > 0) return this.#afterEquals(current, equals);
    if (current.startsWith('-')) return withStart(current, this.#flagNames());
    const found = this.#args.length === 0 ? commands() : [];
    const more = this.#command ? await this.#arguments(current) : [];
    return more === 'files' ? more : withStart(current, [...found, ...more]);
  }

  #flagOf(word: string): ShellFlag<unknown> | undefined {
    return Object.values(this.#flags).find(({ name, short }) => word === `--${name}` || word === `-${short}`);
  }

  async #afterEquals(current: string, equals: number): Promise<Completion> {
    const flag = this.#flagOf(current.slice(0, equals));
    const values = flag ? await this.#values(flag) : [];
    if (values === 'files') return values;
    const start = current.slice(0, equals + 1);
    return withStart(
      current,
      values.map((candidate) => ({ ...candidate, word: start + candidate.word })),
    );
  }

  #flagNames(): Candidate[] {
    return Object.values(this.#flags).map(({ name, help, alone }) =>
      alone === undefined ? { word: `--${name}=`, about: help, isOpen: true } : { word: `--${name}`, about: help },
    );
  }

  async #values({ name, value }: ShellFlag<unknown>): Promise<Completion> {
    if (name === 'namespace') return this.#names.objects('namespaces');
    if (name === 'output') return FORMATS.map((word) => ({ word, isOpen: word.includes('=') }));
    if (name === 'context' || name === 'cluster' || name === 'user') return this.#names.configured(`${name}s` as const);
    if (/^FILE|^DIRECTORY/.test(value)) return 'files';
    return /^[a-z]+(\|[a-z]+)+$/.test(value) ? value.split('|').map((word) => ({ word })) : [];
  }

  /** By the line of usage: what a command works on is named there. */
  async #arguments(current: string): Promise<Completion> {
    const usage = this.#command?.usage ?? '';
    if (/\bCONTEXT/.test(usage)) return this.#names.configured('contexts');
    if (/\bTYPE\b/.test(usage)) return this.#typesOrNames(current);
    if (/\bPOD\b/.test(usage) && this.#args.length === 0) return this.#names.objects('pods');
    if (/\bNODE\b/.test(usage)) return this.#names.objects('nodes');
    return /\bFILE/.test(usage) ? 'files' : [];
  }

  async #typesOrNames(current: string): Promise<Completion> {
    const slash = current.indexOf('/');
    if (slash > 0) {
      const type = current.slice(0, slash);
      const names = await this.#names.objects(type);
      return names.map(({ word }) => ({ word: `${type}/${word}` }));
    }
    const [type] = this.#args;
    if (type !== undefined) return type.includes('/') ? [] : this.#names.objects(type);
    const comma = current.lastIndexOf(',') + 1;
    const types = await this.#names.types();
    return types.map((candidate) => ({ ...candidate, word: current.slice(0, comma) + candidate.word }));
  }
}

const FORMATS = ['json', 'yaml', 'name', 'wide', 'jsonpath=', 'jsonpath-file=', 'custom-columns=', 'go-template='];

/** Those that go on with what was typed, in order. */
function withStart(start: string, completion: Completion): Completion {
  if (completion === 'files') return completion;
  return completion.filter(({ word }) => word.startsWith(start)).sort((a, b) => (a.word < b.word ? -1 : 1));
}
