import { ApiError, badRequest } from '../api/errors.ts';

/** A body that is not what its media type says. Whoever knows what it should have been says so; else it is a plain 400. */
export class MalformedBody extends ApiError {
  /** What is wrong with the text. */
  readonly problem: string;

  constructor(problem: string) {
    super('BadRequest', `couldn't get version/kind; json parse error: ${problem}`);
    this.problem = problem;
  }
}

/** What a body should have been. */
interface Wanted {
  readonly kind: string;
  readonly sensitive?: boolean | undefined;
}

/** The refusal of a body that is no object of any kind. Of a kind whose values are secret nothing is shown. */
export function unrecognized({ kind, sensitive = false }: Wanted, problem: string, body: Buffer): ApiError {
  const shown = sensitive ? '' : ` (${beginning(body)})`;
  const why = `couldn't get version/kind; json parse error: ${problem}`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}${shown}`);
}

const LONGEST_BEGINNING = 30;

/** How a body begins: as text if it looks like an object, else its bytes. */
function beginning(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, LONGEST_BEGINNING).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > LONGEST_BEGINNING ? `${start} ...` : start;
}
