import { expect, it } from 'vitest';
import { Deadline } from '../runtime/deadline.ts';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import type { PlaneRequest } from './plane-client.ts';
import { withinTerm } from './term.ts';

it('requests have the time that is left of a term, and none is sent when it is over', async () => {
  const runtime = new ManualRuntime();
  const term = new Deadline(runtime.monotonic() + 7_000, runtime);
  const sent: PlaneRequest[] = [];
  const send = withinTerm(term, async (request) => {
    sent.push(request);
    return { status: 200, body: Buffer.from('{}') };
  });
  await send({ method: 'GET', target: '/api' });
  runtime.advance(4_000);
  await send({ method: 'DELETE', target: '/api/v1/pods?limit=1' });
  expect(sent).toEqual([
    { method: 'GET', target: '/api?timeout=7000ms', timeoutMs: 7_000 },
    { method: 'DELETE', target: '/api/v1/pods?limit=1&timeout=3000ms', timeoutMs: 3_000 },
  ]);
  expect(term.extend(runtime.monotonic() + 7_000)).toBe(true);
  runtime.advance(7_000);
  await expect(send({ method: 'GET', target: '/api' })).rejects.toThrow(/allotted timeout/);
  expect(sent).toHaveLength(2);
});
