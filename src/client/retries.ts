import type { Runtime } from '../runtime/runtime.ts';
import type { PlaneAnswer, PlaneRequest, Send } from './plane-client.ts';

const MOST_ATTEMPTS = 5;
/** Whoever is asked to wait for longer is told so instead. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends a request again where the plane asks for it and it is safe: after 429, which says that nothing was done, and reads
 * also when the plane was not able to answer. Whoever is still refused then gets that answer.
 */
export const withRetries =
  (runtime: Runtime, send: Send): Send =>
  async (request) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(request);
      const waitMs = retryAfterMs(answer);
      if (attempt === MOST_ATTEMPTS || waitMs === undefined || !isSafe(request, answer)) return answer;
      // Those who were refused together do not come back together.
      await pause(runtime, waitMs * (1 + runtime.random() / 10), request.signal);
    }
  };

const isSafe = ({ method }: PlaneRequest, { status }: PlaneAnswer): boolean =>
  status === 429 || (status >= 500 && method === 'GET');

function retryAfterMs({ headers }: PlaneAnswer): number | undefined {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  return seconds >= 0 && seconds * 1000 <= LONGEST_WAIT_MS ? seconds * 1000 : undefined;
}

/** Rejects with the reason of the signal when that comes first. */
export function pause(runtime: Runtime, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = runtime.after(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
