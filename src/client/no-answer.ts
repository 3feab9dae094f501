import { ApiError } from '../api/errors.ts';
import type { Send } from './plane-client.ts';

/** The reason of errors for which no plane is to blame: there was no answer, and the code is 0. */
export const NO_ANSWER = 'NoAnswer';

/** That no answer came, as the error that refusals are too, with what was behind it as its cause. */
export function noAnswer(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const unanswered = new ApiError(NO_ANSWER, `there was no answer: ${message}`, {}, 0);
  unanswered.cause = error;
  return unanswered;
}

/** Everything that goes wrong is an `ApiError`; a request that was given up by its signal is rejected with its reason. */
export const withOneError =
  (send: Send): Send =>
  (request) =>
    send(request).catch((error: unknown) => {
      request.signal?.throwIfAborted();
      throw noAnswer(error);
    });
