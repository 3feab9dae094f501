import { type Flag, UsageError } from '../../../settings/flag.ts';

/** A flag as people type it: it may have a letter of its own, and a meaning when it is given without a value. */
export interface ShellFlag<T> extends Flag<T> {
  readonly short?: string;
  /** What is read when the flag stands alone; absent where it takes the next word as its value. */
  readonly alone?: string;
}

export type FlagTable = Readonly<Record<string, ShellFlag<unknown>>>;

/** The same flag, also as `-l`. */
export const short = <T>(letter: string, flag: ShellFlag<T>): ShellFlag<T> => ({ ...flag, short: letter });

/** The same flag, which may stand alone: `--dry-run` for `--dry-run=unchanged`. */
export const alone = <T>(meaning: string, flag: ShellFlag<T>): ShellFlag<T> => ({ ...flag, alone: meaning });

const TRUE: ReadonlySet<string> = new Set(['true', 't', '1', 'True', 'T', 'TRUE']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', '0', 'False', 'F', 'FALSE']);

/** A switch: off unless given, or the other way round. */
export const onOff = (name: string, fallback: boolean, help: string): ShellFlag<boolean> => ({
  name,
  value: 'true|false',
  help,
  fallback,
  alone: 'true',
  read(given) {
    if (TRUE.has(given)) return true;
    if (FALSE.has(given)) return false;
    throw new UsageError(`invalid argument "${given}" for "--${name}" flag: it must be true or false`);
  },
  expects: 'true or false',
  fits: (value) => typeof value === 'boolean',
});

/** What a line asks for, besides the words that choose the command. */
export interface ReadLine {
  /** By the names of options, defaults included. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The options that were given. */
  readonly given: ReadonlySet<string>;
  readonly args: readonly string[];
  /** What comes after `--`; undefined where there is none. */
  readonly afterDash: readonly string[] | undefined;
}

/**
 * Reads the words of a line by the rules that people know from other tools of this kind: flags and arguments in any order,
 * `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, and letters without values together. Lists add up.
 */
export function readLine(table: FlagTable, words: readonly string[]): ReadLine {
  return new LineReader(table, words).read();
}

class LineReader {
  readonly #byName = new Map<string, readonly [option: string, flag: ShellFlag<unknown>]>();
  readonly #byLetter = new Map<string, readonly [option: string, flag: ShellFlag<unknown>]>();
  readonly #words: readonly string[];
  readonly #flags: Record<string, unknown>;
  readonly #given = new Set<string>();
  #at = 0;

  constructor(table: FlagTable, words: readonly string[]) {
    this.#words = words;
    const rows = Object.entries(table);
    this.#flags = Object.fromEntries(rows.map(([option, { fallback }]) => [option, fallback]));
    for (const row of rows) {
      this.#byName.set(row[1].name, row);
      if (row[1].short !== undefined) this.#byLetter.set(row[1].short, row);
    }
  }

  read(): ReadLine {
    const args: string[] = [];
    let afterDash: readonly string[] | undefined;
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at++] ?? '';
      if (word === '--') {
        afterDash = this.#words.slice(this.#at);
        break;
      }
      if (word.startsWith('--')) this.#readName(word);
      else if (word.startsWith('-') && word !== '-') this.#readLetters(word);
      else args.push(word);
    }
    return { flags: this.#flags, given: this.#given, args, afterDash };
  }

  #readName(word: string): void {
    const equals = word.indexOf('=');
    const name = word.slice(2, equals < 0 ? undefined : equals);
    const row = this.#byName.get(name);
    if (!row) throw new UsageError(`unknown flag: --${name}`);
    if (equals >= 0) this.#set(row, word.slice(equals + 1));
    else this.#set(row, row[1].alone ?? this.#nextWord(word));
  }

  #readLetters(word: string): void {
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] ?? '';
      const row = this.#byLetter.get(letter);
      if (!row) throw new UsageError(`unknown shorthand flag: '${letter}' in ${word}`);
      const rest = word.slice(at + 1);
      const takesRest = rest.startsWith('=') || row[1].alone === undefined;
      if (!takesRest) this.#set(row, row[1].alone ?? '');
      else if (rest === '') this.#set(row, this.#nextWord(`'${letter}' in ${word}`));
      else this.#set(row, rest.replace(/^=/, ''));
      if (takesRest) return;
    }
  }

  #nextWord(flag: string): string {
    const word = this.#words[this.#at++];
    if (word === undefined) throw new UsageError(`flag needs an argument: ${flag}`);
    return word;
  }

  #set([option, flag]: readonly [string, ShellFlag<unknown>], text: string): void {
    const value = flag.read(text);
    const earlier = this.#given.has(option) ? this.#flags[option] : undefined;
    this.#flags[option] = Array.isArray(value) && Array.isArray(earlier) ? [...earlier, ...value] : value;
    this.#given.add(option);
  }
}
