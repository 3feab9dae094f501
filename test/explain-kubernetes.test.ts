import { afterEach, describe, expect, it, vi } from 'vitest';
import { RememberedRequests } from '../src/explain/requests/remembered-requests.ts';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';

/** Admission, requests, flow and writes explained in the other vocabulary, and where the group is switched off. */

const GROUP = 'explain.k8s.io';
const EXPLAIN = `/apis/${GROUP}/v1alpha1`;
const MAPS = '/api/v1/namespaces/default/configmaps';
/** Every request takes longer. */
const SLOW_MS = 1e-6;

let plane: EmbeddedPlane;
afterEach(() => plane.close());

const start = async (options: Parameters<typeof startPlane>[0] = {}): Promise<void> => {
  const usual = {
    store: 'memory',
    vocabulary: 'kubernetes',
    controllers: ['-*'],
    slowRequestThreshold: SLOW_MS,
  } as const;
  plane = await startPlane({ ...usual, ...options });
};

const send = async (method: string, target: string, body?: unknown) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const reply = await plane.inject({ method, target, as: 'admin', headers, ...sent });
  const text = String(reply.body);
  return { status: reply.status, text, headers: reply.headers, body: JSON.parse(text) };
};

it('all of it is told in the names of the vocabulary', async () => {
  await start();
  const map = { metadata: { name: 'tried' } };
  const admission = await send('POST', `${MAPS}?dryRun=All&explain=admission`, map);
  expect(admission.body).toMatchObject({ apiVersion: `${GROUP}/v1alpha1`, kind: 'AdmissionExplanation' });
  expect(admission.body.status).toMatchObject({ allowed: true, operation: 'CREATE', object: map });
  expect((await send('GET', `${MAPS}/tried`)).status).toBe(404);
  await send('POST', MAPS, map);
  const remembered = await send('GET', `${EXPLAIN}/requests`);
  const writes = remembered.body.items.filter(({ status }: { status: { verb: string } }) => status.verb === 'create');
  expect(writes.at(-1)).toMatchObject({
    status: { path: MAPS, code: 201, reasons: ['Slow'] },
  });
  const spec = {
    user: 'jane',
    groups: ['system:authenticated'],
    resourceAttributes: { verb: 'list', resource: 'pods' },
  };
  const flow = await send('POST', `${EXPLAIN}/flowreviews`, { spec });
  expect([flow.status, flow.body.status]).toMatchObject([201, { flowSchema: 'global-default', outcome: 'Dispatched' }]);
  const activity = await send('GET', `${EXPLAIN}/writeactivities/recent`);
  expect(activity.body).toMatchObject({ apiVersion: `${GROUP}/v1alpha1` });
  for (const { text } of [admission, remembered, flow, activity]) expect(text).not.toContain('platform.io');
});

it('a look at one request makes no other', async () => {
  await start();
  for (let at = 0; at < 20; at++) await send('GET', `${MAPS}?limit=${at}`);
  const { body } = await send('GET', `${EXPLAIN}/requests`);
  const { name } = body.items[7].metadata;
  const made = vi.spyOn(RememberedRequests.prototype, 'objects');
  try {
    expect((await send('GET', `${EXPLAIN}/requests/${name}`)).body).toMatchObject(body.items[7]);
    expect((await send('GET', `${EXPLAIN}/requests/unheard-of`)).status).toBe(404);
    expect(made).not.toHaveBeenCalled();
  } finally {
    made.mockRestore();
  }
});

describe.each(['true', 'false'])('with the group served: %s', (served) => {
  it('nothing is written that asks to be explained', async () => {
    await start({ runtimeConfig: [`${GROUP}/v1alpha1=${served}`] });
    await send('POST', MAPS, { metadata: { name: 'there' } });
    const asked: [string, string, object?][] = [
      ['POST', `${MAPS}?explain=admission`, { metadata: { name: 'made' } }],
      ['PUT', `${MAPS}/there?explain=admission`, { metadata: { name: 'there' }, data: { a: 'b' } }],
      ['DELETE', `${MAPS}/there?explain=admission`],
      ['DELETE', `${MAPS}?explain=admission`],
      ['DELETE', `${MAPS}?explain=admission&dryRun=All`],
      ['POST', `${MAPS}?explain=`, { metadata: { name: 'made' } }],
    ];
    for (const [method, target, body] of asked) {
      const refused = await send(method, target, body);
      expect([target, refused.status, refused.text]).toEqual([target, 400, expect.stringContaining('explain=')]);
    }
    const dry = await send('POST', `${MAPS}?explain=admission&dryRun=All`, { metadata: { name: 'made' } });
    expect(dry.status).toBe(served === 'true' ? 200 : 400);
    if (served === 'false') expect(dry.body.message).toContain(`admissionexplanations.${GROUP}, which is switched off`);
    const names = (await send('GET', MAPS)).body.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
    expect(names).toContain('there');
    expect(names).not.toContain('made');
  });
});
