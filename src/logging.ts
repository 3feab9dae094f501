/** Where the server writes what operators should know. Never given credentials or bodies. */
export interface Logger {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  /** Written from `--v=2` on. */
  info(fields: object, message: string): void;
}

export const SILENT: Logger = { error: () => {}, warn: () => {}, info: () => {} };

type Level = keyof Logger;

/** Fields that could hold a secret, should one ever be logged by mistake. */
const REDACTED = ['token', 'authorization', 'password', '*.token', '*.authorization', '*.password'];

/**
 * Logs through pino, which takes longer to load than a server may take to start: it is loaded with the first line, and
 * lines that come meanwhile wait for it.
 */
export function standardLogger(verbosity: number): Logger {
  let target: Logger | undefined;
  let waiting: [Level, object, string][] | undefined;

  const load = async (): Promise<void> => {
    const { pino, destination } = await import('pino');
    const level = verbosity >= 2 ? 'info' : 'warn';
    target = pino({ level, redact: { paths: REDACTED, censor: '[redacted]' } }, destination({ fd: 2, sync: true }));
    for (const [at, fields, message] of waiting ?? []) target[at](fields, message);
    waiting = undefined;
  };

  const write = (level: Level, fields: object, message: string): void => {
    if (target) {
      target[level](fields, message);
      return;
    }
    if (!waiting) {
      waiting = [];
      void load();
    }
    waiting.push([level, fields, message]);
  };

  return {
    error: (fields, message) => write('error', fields, message),
    warn: (fields, message) => write('warn', fields, message),
    info(fields, message) {
      if (verbosity >= 2) write('info', fields, message);
    },
  };
}
