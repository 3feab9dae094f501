import { type Runtime, systemRuntime } from '../../../runtime/runtime.ts';
import type { FlagValues } from '../../../settings/flag.ts';
import type { CommandRow, CommandTable } from './command.ts';
import { CommandError, exitCodeOf, failureText, isDenial, SilentExit } from './failure.ts';
import { type FlagTable, type ReadLine, readLine } from './flags.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import { type Io, write } from './io.ts';
import { Session } from './session.ts';

const PROGRAM = 'platformctl';
/** No command is chosen by more words. */
const MOST_WORDS = 3;

/**
 * Does what a line says with one of some commands, and gives the exit code. Whatever goes wrong is told on standard error.
 */
export async function runLine(
  words: readonly string[],
  io: Io,
  commands: CommandTable,
  runtime: Runtime = systemRuntime,
): Promise<number> {
  const chosen = chooseCommand(words, commands);
  if (!chosen) return answerWithoutCommand(words, io, commands);
  const { name, row, rest } = chosen;
  let session: Session | undefined;
  try {
    const command = await row.load();
    if (asksForHelp(rest)) {
      const { commandHelp } = await import('./help.ts');
      await write(io.stdout, commandHelp(PROGRAM, command));
      return 0;
    }
    const line = readLine({ ...GLOBAL_FLAGS, ...command.flags }, rest);
    session = new Session(io, runtime, globalFlagsIn(line, command.flags));
    const isGiven = (option: string): boolean => line.given.has(option);
    await command.run({ ...line, isGiven, session } as Parameters<typeof command.run>[0]);
    return 0;
  } catch (error) {
    const server = session
      ? await session.connection().then(
          ({ server: url }) => url,
          () => '',
        )
      : '';
    if (!(error instanceof SilentExit)) await write(io.stderr, failureText(error, PROGRAM, name, server));
    if (session?.denial !== undefined && io.stderr.isTTY && isDenial(error)) {
      await write(io.stderr, `to see why: ${PROGRAM} auth why ${session.denial}\n`);
    }
    return exitCodeOf(error);
  } finally {
    session?.close();
  }
}

/** What a line says for all commands. A command may have a flag of the same name that means something else. */
function globalFlagsIn({ flags }: ReadLine, own: FlagTable): FlagValues<typeof GLOBAL_FLAGS> {
  const taken = new Set(Object.values(own).map(({ name }) => name));
  const values = Object.entries(GLOBAL_FLAGS).map(([option, { name, fallback }]) => [
    option,
    taken.has(name) ? fallback : flags[option],
  ]);
  return Object.fromEntries(values) as FlagValues<typeof GLOBAL_FLAGS>;
}

export interface ChosenCommand {
  readonly name: string;
  readonly row: CommandRow;
  /** What is left of the line. */
  readonly rest: readonly string[];
}

/** The command whose name is longest; flags may stand before and between the words. */
export function chooseCommand(words: readonly string[], commands: CommandTable): ChosenCommand | undefined {
  const places = wordPlaces(words);
  for (let count = Math.min(MOST_WORDS, places.length); count > 0; count--) {
    const used = new Set(places.slice(0, count));
    const name = places
      .slice(0, count)
      .map((at) => words[at])
      .join(' ');
    const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (row) return { name, row, rest: words.filter((_, at) => !used.has(at)) };
  }
  return undefined;
}

/** Where the first words are that are neither flags nor the values of global ones. */
function wordPlaces(words: readonly string[]): number[] {
  const flags = Object.values(GLOBAL_FLAGS);
  const takesNext = new Set(
    flags
      .filter((flag) => !('alone' in flag))
      .flatMap((flag) => [
        `--${flag.name}`,
        ...('short' in flag && flag.short !== undefined ? [`-${flag.short}`] : []),
      ]),
  );
  const places: number[] = [];
  for (let at = 0; at < words.length && places.length < MOST_WORDS; at++) {
    const word = words[at] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) places.push(at);
    else if (takesNext.has(word)) at++;
  }
  return places;
}

async function answerWithoutCommand(words: readonly string[], io: Io, commands: CommandTable): Promise<number> {
  const { globalHelp, tableHelp } = await import('./help.ts');
  const asked = wordPlaces(words).map((at) => words[at] ?? '');
  const [first = ''] = asked[0] === 'help' ? asked.slice(1) : asked;
  if (first === 'options') {
    await write(io.stdout, globalHelp(GLOBAL_FLAGS));
    return 0;
  }
  const isGroup = Object.keys(commands).some((name) => name.startsWith(`${first} `));
  if (first === '' || isGroup) {
    await write(io.stdout, tableHelp(PROGRAM, commands, first));
    return 0;
  }
  const { absenceOf } = await import('./absent-commands.ts');
  const unknown = new CommandError(absenceOf(first) ?? `unknown command "${first}" for "${PROGRAM}"`);
  await write(io.stderr, `${failureText(unknown, PROGRAM, '')}Run '${PROGRAM} --help' for usage.\n`);
  return 1;
}

const asksForHelp = (words: readonly string[]): boolean => {
  const dash = words.indexOf('--');
  const mine = dash < 0 ? words : words.slice(0, dash);
  return mine.includes('--help') || mine.includes('-h');
};
