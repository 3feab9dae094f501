import { consoleAround } from '../console/console.ts';
import { builtConsole, ConsoleFiles } from '../console/console-files.ts';
import type { Handle } from '../http/handler.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Plane } from './plane.ts';

export interface ConsoleOptions {
  readonly vocabulary: Vocabulary;
  /** Where the files of the console are, if not where the build puts them. */
  readonly consoleFolder: string | undefined;
}

/** The console of a plane, in front of everything else that answers at its port. */
export function consoleOf(
  { logins, identify }: Plane,
  { vocabulary, consoleFolder }: ConsoleOptions,
): (handle: Handle) => Handle {
  const folder = consoleFolder ?? builtConsole();
  return consoleAround({
    files: folder === undefined ? undefined : new ConsoleFiles(folder),
    logins,
    identify,
    vocabulary,
  });
}
