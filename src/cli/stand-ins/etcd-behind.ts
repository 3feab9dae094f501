import { STAND_IN_ANSWER, STAND_IN_PATH } from './stand-in-answer.ts';

const PATIENCE_MS = 2_000;

/** Whether what answers there is the stand-in, which keeps no objects. A real etcd is used as one. */
export async function isStandIn(url: string): Promise<boolean> {
  if (!/^http:\/\/[^/]+\/?$/.test(url)) return false;
  try {
    const answer = await fetch(new URL(STAND_IN_PATH, url), {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const isLong = Number(answer.headers.get('content-length') ?? 0) > STAND_IN_ANSWER.length;
    return answer.ok && !isLong && (await answer.text()) === STAND_IN_ANSWER;
  } catch {
    // Whoever is not there cannot be told apart here; the store says what is wrong when it is opened.
    return false;
  }
}
