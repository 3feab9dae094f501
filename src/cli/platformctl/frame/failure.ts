import { ApiError } from '../../../api/errors.ts';
import { UsageError } from '../../../settings/flag.ts';

/** A command that cannot be done, with what to tell; the message is shown after `error: `. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command has told already what there was to tell. */
export class SilentExit extends Error {
  override readonly name = 'SilentExit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Several things failed, and each is told; what could be done has been. */
export class SeveralFailures extends Error {
  override readonly name = 'SeveralFailures';
  readonly failures: readonly unknown[];

  constructor(failures: readonly unknown[]) {
    super(`${failures.length} failures`);
    this.failures = failures;
  }
}

/** Throws what failed, if anything did. */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new SeveralFailures(failures);
}

const REFUSED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What people, and scripts that look for it, read when a command fails. */
export function failureText(error: unknown, program: string, commandWords: string, server = ''): string {
  if (error instanceof SeveralFailures) return error.failures.map(oneOfSeveral).join('');
  if (error instanceof ApiError) return refusalText(error);
  if (error instanceof UsageError)
    return `error: ${error.message}\nSee '${program} ${commandWords} --help' for usage.\n`;
  if (error instanceof Error && 'code' in error && REFUSED.has(String(error.code)) && server !== '') {
    const { host } = new URL(server);
    return `The connection to the server ${host} was refused - did you specify the right host or port?\n`;
  }
  return `error: ${error instanceof Error ? error.message : String(error)}\n`;
}

/** Failures in a list are shown without the word that begins the line of a single one. */
function oneOfSeveral(error: unknown): string {
  if (error instanceof ApiError) return `${serverErrorText(error)}\n`;
  return `${error instanceof Error ? error.message : String(error)}\n`;
}

const serverErrorText = ({ reason, message }: ApiError): string =>
  reason === '' ? `Error from server: ${message}` : `Error from server (${reason}): ${message}`;

/** A refusal of the plane. */
export function refusalText(error: ApiError): string {
  if (error.reason !== 'Invalid') return `${serverErrorText(error)}\n`;
  const { message, details } = error;
  const { kind = '', name = '', causes = [] } = details ?? {};
  const isNamed = kind !== '' || name !== '';
  const problem = isNamed ? `The ${kind} ${JSON.stringify(name)} is invalid` : 'The request is invalid';
  if (causes.length === 0) return isNamed || message === '' ? `${problem}\n` : `${problem}: ${message}\n`;
  const told = causes.map(({ field = '', message: text }) => (field === '' ? text : `${field}: ${text}`));
  return told.length === 1 ? `${problem}: ${told[0]}\n` : `${problem}: \n${told.map((one) => `* ${one}\n`).join('')}`;
}

/** Whether something failed because the plane does not let the caller do it. */
export const isDenial = (error: unknown): boolean =>
  error instanceof SeveralFailures
    ? error.failures.some(isDenial)
    : error instanceof ApiError && error.reason === 'Forbidden';

export const exitCodeOf = (error: unknown): number =>
  error instanceof CommandError || error instanceof SilentExit ? error.exitCode : 1;
