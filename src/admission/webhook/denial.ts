import { ApiError, type Details } from '../../api/errors.ts';
import type { Status } from '../../meta/status.ts';

const LOWEST_CODE = 400;
const HIGHEST_CODE = 599;

/** A webhook says no. Its words reach the client, whatever they are. */
export class Denial extends ApiError {
  /** The code that the webhook chose, even where no answer can have it. */
  readonly chosen: number;

  constructor(webhook: string, status: Status | undefined) {
    const { message, reason = '', details, code = 0 } = status ?? {};
    const why = message || reason;
    const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
    super(reason, why ? `${denied}: ${why}` : `${denied} without explanation`, detailsIn(details), sendable(code));
    this.chosen = Math.max(code, LOWEST_CODE);
  }
}

function detailsIn(details: Status['details']): Details {
  const { causes = [], ...others } = details ?? {};
  return causes.length === 0
    ? others
    : { ...others, causes: causes.map(({ message = '', ...cause }) => ({ ...cause, message })) };
}

const sendable = (code: number): number => (code > HIGHEST_CODE ? 500 : Math.max(code, LOWEST_CODE));
