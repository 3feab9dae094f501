import { type Runtime, systemRuntime } from '../../runtime/runtime.ts';
import { COMMANDS } from './commands/table.ts';
import type { Io } from './frame/io.ts';
import { runLine } from './frame/run.ts';

/** Does what a line says, whichever command it names, or completes it; gives the exit code. */
export async function runAnyLine(words: readonly string[], io: Io, runtime: Runtime = systemRuntime): Promise<number> {
  if (words[0] !== '__complete') return runLine(words, io, COMMANDS, runtime);
  const { completeLine } = await import('./completion/complete.ts');
  return completeLine(words.slice(1), io, runtime, COMMANDS);
}
