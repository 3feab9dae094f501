import { consoleAround } from '../console/console.ts';
import { builtConsole, ConsoleFiles } from '../console/console-files.ts';
import { LoginAttempts } from '../console/login-attempts.ts';
import type { Handle } from '../http/handler.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { ServerMetrics } from '../observe/metrics/server-metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Plane } from './plane.ts';

export interface ConsoleOptions {
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly runtime: Runtime;
  readonly metrics: Pick<ServerMetrics, 'recorder'>;
  /** Where the files of the console are, if not where the build puts them. */
  readonly consoleFolder: string | undefined;
}

/** The console of a plane, in front of everything else that answers at its port. */
export function consoleOf(
  { logins, identify, isShortOfMemory }: Plane,
  { vocabulary, consoleFolder, logger, runtime, metrics: { recorder } }: ConsoleOptions,
): (handle: Handle) => Handle {
  const folder = consoleFolder ?? builtConsole();
  const attempts = new LoginAttempts(runtime, (count) =>
    logger.warn({ result: 'refused', count }, 'somebody tried to log in to the console with a code that is not good'),
  );
  return consoleAround({
    files: folder === undefined ? undefined : new ConsoleFiles(folder),
    logins,
    // Who comes in so acts as the administrator from then on, under a token that requests are audited by.
    onLogin(isGranted) {
      const result = isGranted ? 'granted' : 'refused';
      recorder.number('apiserver_console_logins_total', [result]).value++;
      if (isGranted) logger.warn({ result }, 'somebody logged in to the console with a code');
      else attempts.refused();
    },
    identify,
    isShortOfMemory,
    vocabulary,
  });
}
