import { duration, integer, optionalChoice } from './flag.ts';

/** What is written of what goes on. */
export const LOGGING_FLAGS = {
  v: integer('v', 0, 10, 0, 'how much to log: 0 problems, 1 the stages of a start, 2 requests, 4 details'),
  slowRequestThreshold: duration(
    'slow-request-threshold',
    1_000,
    'from when on a request counts as slow, and is logged with where the time went; 0 for never',
  ),
  loggingFormat: optionalChoice('logging-format', ['text', 'json'], 'another name of --log-format'),
  logFormat: optionalChoice(
    'log-format',
    ['text', 'json'],
    'how log lines are written; by default text on a terminal, otherwise json',
  ),
} as const;
