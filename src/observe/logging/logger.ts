import { type Runtime, systemRuntime } from '../../runtime/runtime.ts';
import { textLine } from './text-line.ts';

/** Where the server writes what operators should know. Never given credentials or bodies. */
export interface Logger {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  /** One line a request, one at start and one at stop. */
  info(fields: object, message: string): void;
  /** A line for each stage of a start, with how long it took. */
  stage?(fields: object, message: string): void;
  /** False: `info` does nothing, so that nothing need be put together for it. */
  readonly informs?: boolean;
}

export const SILENT: Logger = { error: () => {}, warn: () => {}, info: () => {}, informs: false };

export interface StandardLoggerOptions {
  /** From 1 on `stage` is written as well, from 2 on `info`. */
  readonly verbosity: number;
  /** By default text on a terminal, otherwise json. */
  readonly format?: 'text' | 'json' | undefined;
  readonly runtime?: Runtime;
}

export interface StandardLogger extends Logger {
  /** Resolves when everything logged so far is written. */
  flush(): Promise<void>;
}

type Level = 'error' | 'warn' | 'info';

/** Fields that could hold a secret, should one ever be logged by mistake. */
const REDACTED = ['token', 'authorization', 'password', '*.token', '*.authorization', '*.password'];
const STANDARD_ERROR = 2;

/**
 * Logs to the standard error through pino, which takes longer to load than a server may take to start: it is loaded with
 * the first line, and lines that come meanwhile wait for it.
 */
export function standardLogger(options: StandardLoggerOptions): StandardLogger {
  const informs = options.verbosity >= 2;
  const tellsStages = options.verbosity >= 1;
  let target: Logger | undefined;
  let loading: Promise<void> | undefined;
  const waiting: [Level, object, string][] = [];

  const load = async (): Promise<void> => {
    target = await pinoLogger(options);
    for (const [level, fields, message] of waiting.splice(0)) target[level](fields, message);
  };

  const write = (level: Level, fields: object, message: string): void => {
    if (target) {
      target[level](fields, message);
      return;
    }
    waiting.push([level, fields, message]);
    loading ??= load();
  };

  return {
    informs,
    error: (fields, message) => write('error', fields, message),
    warn: (fields, message) => write('warn', fields, message),
    info(fields, message) {
      if (informs) write('info', fields, message);
    },
    stage(fields, message) {
      if (tellsStages) write('info', fields, message);
    },
    flush: async () => loading,
  };
}

/** Levels by name, times as people write them. A line is written before the next statement runs. */
async function pinoLogger({ verbosity, format, runtime = systemRuntime }: StandardLoggerOptions): Promise<Logger> {
  const { pino, destination } = await import('pino');
  const lines = destination({ fd: STANDARD_ERROR, sync: true });
  const isText = (format ?? (process.stderr.isTTY ? 'text' : 'json')) === 'text';
  return pino<never>(
    {
      level: verbosity >= 1 ? 'info' : 'warn',
      base: null,
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${new Date(runtime.now()).toISOString()}"`,
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    isText ? { write: (line: string) => lines.write(textLine(line)) } : lines,
  );
}
