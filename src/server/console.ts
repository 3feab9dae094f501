import { consoleAround } from '../console/console.ts';
import { builtConsole, ConsoleFiles } from '../console/console-files.ts';
import type { Handle } from '../http/handler.ts';
import { ConsoleLogins, type ConsoleLoginsParts } from './console-logins.ts';
import type { Plane } from './plane.ts';

export interface ConsoleOptions extends ConsoleLoginsParts {
  /** Where the files of the console are, if not where the build puts them. */
  readonly consoleFolder: string | undefined;
}

/** The console of a plane, in front of everything else that answers at its port. */
export function consoleOf(
  { logins, identify, isShortOfMemory }: Plane,
  options: ConsoleOptions,
): (handle: Handle) => Handle {
  const folder = options.consoleFolder ?? builtConsole();
  const records = new ConsoleLogins(options);
  return consoleAround({
    files: folder === undefined ? undefined : new ConsoleFiles(folder),
    logins,
    recordLogin: (request, attempt) => records.record(request, attempt),
    identify,
    isShortOfMemory,
    vocabulary: options.vocabulary,
  });
}
