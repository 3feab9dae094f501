import { ConnectionWasClosed, NotProcessed } from '../../outbound/failures.ts';
import type { Cancellation } from './cancellation.ts';
import type { ExchangeAnswer } from './exchange.ts';

/** A server that goes away, or is full, is asked so often; a load balancer may lead to another one. */
const MOST_UNPROCESSED = 5;
const TOO_MANY_REQUESTS = 429;

/** What is known about a request, which says when it may be sent again. */
export interface Repeatable {
  /** It changes nothing. */
  readonly isRead: boolean;
  /** Its body is still there. */
  readonly canRepeat: boolean;
  /** How often it is sent again because an answer says when. */
  readonly retries: number;
}

/**
 * Sends a request, and once more where that is safe: it was not processed; it only reads and its connection turned out to be
 * closed; the server has too much to do and says when to come again (`Retry-After`), which has to be within the time that is
 * left.
 */
export async function repeating(
  { isRead, canRepeat, retries }: Repeatable,
  cancellation: Cancellation,
  attempt: () => Promise<ExchangeAnswer>,
): Promise<ExchangeAnswer> {
  let [unprocessed, closed, delayed] = [0, 0, 0];
  for (;;) {
    try {
      const answer = await cancellation.limit(attempt());
      const pauseMs = canRepeat && delayed++ < retries ? pauseOf(answer, isRead) : undefined;
      if (pauseMs === undefined || pauseMs >= cancellation.leftMs) return answer;
      answer.body.destroy();
      await cancellation.pause(pauseMs);
    } catch (error) {
      const isSafe =
        (error instanceof NotProcessed && unprocessed++ < MOST_UNPROCESSED) ||
        (error instanceof ConnectionWasClosed && isRead && closed++ === 0);
      if (!isSafe || !canRepeat) throw error;
    }
  }
}

/** Undefined where the answer does not ask to be asked again, or the server may have done what a request says. */
function pauseOf({ status, headers }: ExchangeAnswer, isRead: boolean): number | undefined {
  if (status !== TOO_MANY_REQUESTS && !(isRead && status >= 500)) return undefined;
  const seconds = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
