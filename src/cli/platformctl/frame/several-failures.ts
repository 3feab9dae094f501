import { CommandError, failureText, SilentExit } from './failure.ts';
import { type Io, write } from './io.ts';

/** Throws what went wrong, where something did. Several failures are told one a line. */
export async function throwFailures(errors: readonly unknown[], io: Io): Promise<void> {
  const [first, ...more] = errors;
  if (first === undefined) return;
  if (more.length === 0) throw first;
  for (const error of errors) {
    const text = error instanceof CommandError ? `${error.message}\n` : failureText(error, 'platformctl', '');
    await write(io.stderr, text);
  }
  throw new SilentExit(1);
}
