import { ApiError } from '../api/errors.ts';
import { isRefusal } from '../client/plane-client.ts';

/** For whoever makes what every namespace has: one that is going, or gone, needs nothing any more. */
export function unlessGoing(error: unknown): undefined {
  const isGoing =
    error instanceof ApiError && error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (!isGoing && !isRefusal(error, 'NotFound')) throw error;
}
