import { expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import type { PlaneAnswer, PlaneRequest } from './plane-client.ts';
import { withRetries } from './retries.ts';

const answer = (status: number, retryAfter?: string): PlaneAnswer => ({
  status,
  body: Buffer.alloc(0),
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
});

/** Sends a request to a plane that answers in this way, the last answer again and again. */
async function sendTo(answers: readonly PlaneAnswer[], method: PlaneRequest['method']) {
  const runtime = new ManualRuntime();
  let sent = 0;
  const send = withRetries(runtime, async () => answers[Math.min(sent++, answers.length - 1)] ?? answer(500));
  let status: number | undefined;
  void send({ method, target: '/' }).then((final) => {
    status = final.status;
  });
  for (let seconds = 0; seconds < 60 && status === undefined; seconds++) {
    await new Promise(setImmediate);
    runtime.advance(1_000);
  }
  return { sent, status };
}

it.each([
  ['what was refused for now is sent again', [answer(429, '1'), answer(201)], 'POST', { sent: 2, status: 201 }],
  ['so often and no more', [answer(429, '0')], 'POST', { sent: 5, status: 429 }],
  ['unless nobody says when', [answer(429)], 'GET', { sent: 1, status: 429 }],
  ['or not before long', [answer(429, '3600')], 'GET', { sent: 1, status: 429 }],
  [
    'a read is sent again to a plane that was not able',
    [answer(503, '1'), answer(200)],
    'GET',
    { sent: 2, status: 200 },
  ],
  ['a change is not: it may have been made', [answer(503, '1'), answer(200)], 'PUT', { sent: 1, status: 503 }],
  ['a refusal for good is an answer', [answer(409, '1')], 'GET', { sent: 1, status: 409 }],
] as const)('%s', async (_what, answers, method, expected) => {
  expect(await sendTo(answers, method)).toEqual(expected);
});

it('a request that is given up is not sent again', async () => {
  const runtime = new ManualRuntime();
  const giving = new AbortController();
  const sending = withRetries(runtime, async () => answer(429, '10'))({
    method: 'GET',
    target: '/',
    signal: giving.signal,
  });
  await new Promise(setImmediate);
  giving.abort();
  await expect(sending).rejects.toThrow('aborted');
});
