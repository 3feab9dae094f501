import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cacheGrowth } from './support/cache-growth.ts';
import { type Client, http1Client, withToken } from './support/client.ts';
import { HeldRequests, type SentRequest, sendHttp1 } from './support/held-request.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What the server remembers of requests, and how it says that it would treat others. */

const EXPLAIN = '/apis/explain.platform.io/v1alpha1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const SLOW_MS = 30_000;

interface Remembered {
  readonly metadata: { readonly name: string; readonly creationTimestamp: string };
  readonly status: {
    readonly reasons: string[];
    readonly auditID: string;
    readonly user?: string;
    readonly path: string;
    readonly query?: string;
    readonly code: number;
    readonly message?: string;
    readonly milliseconds: Record<string, number>;
    readonly flow?: Record<string, unknown>;
    readonly webhooks?: { readonly webhook: string; readonly outcome: string; readonly milliseconds: number }[];
  };
}

const runtime = new ShiftableRuntime();
let directory: string;
let plane: TestServer;
let growth: ReturnType<typeof cacheGrowth>;
let elephant: Client;
let mouse: Client;
let held: HeldRequests;

beforeAll(async () => {
  directory = await makeDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'elephant,elephant,1\nmouse,mouse,2\n');
  growth = cacheGrowth('remembered requests');
  // So few seats that a level has one or two.
  plane = await startTestServer({
    runtime,
    tokenAuthFile,
    authorizationMode: ['RBAC'],
    maxRequestsInflight: 7,
    maxMutatingRequestsInflight: 0,
    slowRequestThreshold: SLOW_MS,
    requestTimeout: 120_000,
  });
  const binding = {
    metadata: { name: 'writers' },
    roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'edit' },
    subjects: ['elephant', 'mouse'].map((name) => ({ kind: 'User', name, apiGroup: 'rbac.authorization.platform.io' })),
  };
  await plane.admin.request('POST', '/apis/rbac.authorization.platform.io/v1/clusterrolebindings', binding);
  held = await HeldRequests.of(plane);
  elephant = http1Client(withToken(plane.connection, 'elephant'));
  mouse = http1Client(withToken(plane.connection, 'mouse'));
});

afterAll(async () => {
  elephant.close();
  mouse.close();
  await plane.close();
  await held.close();
  await removeDirectory(directory);
});

const all = async (): Promise<Remembered[]> => {
  const { status, text } = await plane.admin.request('GET', `${EXPLAIN}/requests`);
  expect(status).toBe(200);
  return JSON.parse(text).items;
};

const remembered = async (auditId: string): Promise<Remembered[]> =>
  (await all()).filter(({ status }) => status.auditID === auditId);

async function rememberedOnce(answer: { readonly headers: Readonly<Record<string, unknown>> }): Promise<Remembered> {
  const [found, ...others] = await remembered(String(answer.headers['audit-id']));
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} are remembered`);
  return found;
}

async function review(spec: object): Promise<Record<string, unknown>> {
  const { status, text } = await plane.admin.request('POST', `${EXPLAIN}/flowreviews`, { spec });
  expect(status, text).toBe(201);
  return JSON.parse(text).status;
}

const OF_MOUSE = {
  user: 'mouse',
  groups: ['system:authenticated'],
  resourceAttributes: { verb: 'get', version: 'v1', resource: 'configmaps', namespace: 'default', name: 'a' },
};

/** Takes the only seat of the level of most users, until the end of the test at the latest. */
async function takeSeat(): Promise<SentRequest> {
  const sent = sendHttp1(withToken(plane.connection, 'elephant'), MAPS, held.body);
  onTestFinished(() => held.release());
  await insist(async () => {
    expect(await review(OF_MOUSE)).toMatchObject({ executing: 1, waiting: 0 });
    expect(held.waiting).toBe(1);
  });
  return sent;
}

const waitsNow = (): Promise<void> => insist(async () => expect(await review(OF_MOUSE)).toMatchObject({ waiting: 1 }));

describe('a request that waited', () => {
  it('is remembered with why, and the slow one before it with where its time went', async () => {
    const first = await takeSeat();
    const waiting = mouse.request('GET', `${MAPS}?labelSelector=a%3Db&password=secret`);
    await waitsNow();
    runtime.advance(29_000);
    held.release();
    const [slow, waited] = [await first.answer, await waiting];
    expect([slow.status, waited.status]).toEqual([201, 200]);
    const story = await rememberedOnce(waited);
    expect(story.metadata.name).toBe(waited.headers['audit-id']);
    expect(story.status).toMatchObject({
      reasons: ['Waited'],
      user: 'mouse',
      verb: 'list',
      path: MAPS,
      query: 'labelSelector=a=b&password=[redacted]',
      code: 200,
      flow: {
        schema: 'global-default',
        level: 'global-default',
        waitedBecause: '1 of 1 seats were taken, and it needed 1',
        seatsInUse: 1,
        seatLimit: 1,
        queueLength: 1,
      },
    });
    expect(story.status.milliseconds.queue).toBeGreaterThanOrEqual(29_000);
    expect(await remembered(String(slow.headers['audit-id']))).toEqual([]);
  });

  it('in vain is remembered as turned away, and can be looked up by its id', async () => {
    await takeSeat();
    const waiting = mouse.request('GET', MAPS);
    await waitsNow();
    runtime.advance(30_000);
    const refused = await waiting;
    expect(refused.status).toBe(429);
    const id = String(refused.headers['audit-id']);
    const { text } = await plane.admin.request('GET', `${EXPLAIN}/requests/${id}`);
    expect(JSON.parse(text).status).toMatchObject({
      reasons: ['TurnedAway', 'Slow'],
      code: 429,
      message: 'too many requests, please try again later',
      flow: { refused: 'time-out' },
    });
    held.release();
  });
});

it('a slow request is remembered with what its webhooks took', async () => {
  const sent = sendHttp1(withToken(plane.connection, 'elephant'), MAPS, held.body);
  await insist(() => {
    expect(held.waiting).toBe(1);
    return Promise.resolve();
  });
  runtime.advance(SLOW_MS);
  // The time that was put forward counts for the webhook too, whose own timeout has passed by then.
  held.release();
  const answer = await sent.answer;
  const { status } = await rememberedOnce(answer);
  expect(status.reasons).toEqual(['Slow']);
  expect(status.milliseconds.webhooks).toBeGreaterThanOrEqual(SLOW_MS);
  expect(status.milliseconds.total).toBeGreaterThanOrEqual(status.milliseconds.webhooks ?? 0);
  expect(status.webhooks).toMatchObject([{ configuration: 'hold', webhook: 'hold.example.com', phase: 'validating' }]);
  expect(status.webhooks?.[0]?.milliseconds).toBeGreaterThanOrEqual(SLOW_MS);
});

it('an id that clients chose names several requests, and none takes the place of another', async () => {
  const id = 'chosen-by-the-client';
  for (const path of ['a', 'b']) {
    await takeSeat();
    const waiting = mouse.request('GET', `${MAPS}/${path}`, undefined, { 'audit-id': id });
    await waitsNow();
    held.release();
    expect((await waiting).status).toBe(404);
    await insist(async () => expect(await review(OF_MOUSE)).toMatchObject({ executing: 0 }));
  }
  const both = await remembered(id);
  expect(both.map(({ status }) => status.path)).toEqual([`${MAPS}/a`, `${MAPS}/b`]);
  expect(new Set(both.map(({ metadata }) => metadata.name)).size).toBe(2);
  expect(both.map(({ metadata }) => metadata.name)).not.toContain(id);
});

it('a flood of refusals is bounded, and pushes nothing else out', async () => {
  const before = (await all()).filter(({ status }) => status.reasons[0] !== 'TurnedAway');
  const name = 'aside';
  const FLOW = '/apis/flowcontrol.apiserver.platform.io/v1beta2';
  const spec = { type: 'Limited', limited: { assuredConcurrencyShares: 1, limitResponse: { type: 'Reject' } } };
  await plane.admin.request('POST', `${FLOW}/prioritylevelconfigurations`, { metadata: { name }, spec });
  onTestFinished(async () => {
    held.release();
    await plane.admin.request('DELETE', `${FLOW}/flowschemas/${name}`);
  });
  const resources = { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] };
  const everybody = { kind: 'Group', group: { name: 'system:authenticated' } };
  const rules = [{ subjects: [everybody], resourceRules: [resources] }];
  const schema = { priorityLevelConfiguration: { name }, matchingPrecedence: 50, rules };
  await plane.admin.request('POST', `${FLOW}/flowschemas`, { metadata: { name }, spec: schema });
  const sent = sendHttp1(withToken(plane.connection, 'elephant'), MAPS, held.body);
  await insist(async () => expect(await review(OF_MOUSE)).toMatchObject({ executing: 1, outcome: 'Refused' }));
  await insist(() => Promise.resolve(expect(held.waiting).toBe(1)));
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      plane.server.inject({
        method: 'GET',
        target: `${MAPS}/${'x'.repeat(2000)}-${at}`,
        headers: { 'user-agent': 'y'.repeat(5000) },
        as: { user: `${'z'.repeat(3000)}-${at}`, groups: ['system:authenticated'] },
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  held.release();
  await sent.answer;
  const after = await all();
  const others = after.filter(({ status }) => status.reasons[0] !== 'TurnedAway').map(({ metadata }) => metadata.name);
  expect(others).toEqual(expect.arrayContaining(before.map(({ metadata }) => metadata.name)));
  expect(after.length - others.length).toBeGreaterThan(20);
  expect(after.length - others.length).toBeLessThanOrEqual(128);
  expect(growth().bytes).toBeLessThan(4 * (128 << 10));
});

describe('a question about flow', () => {
  it('is answered with schema, level and seats, and with what would become of the request', async () => {
    expect(await review(OF_MOUSE)).toMatchObject({
      flowSchema: 'global-default',
      priorityLevel: 'global-default',
      distinguisher: 'mouse',
      seats: 1,
      seatLimit: 1,
      outcome: 'Dispatched',
      reason: '1 of 1 seats are free',
    });
    const masters = await review({ ...OF_MOUSE, groups: ['system:masters'] });
    expect(masters).toMatchObject({ priorityLevel: 'exempt', outcome: 'Dispatched', reason: 'the level has no limit' });
    expect(masters.seatLimit).toBeUndefined();
    await takeSeat();
    expect(await review(OF_MOUSE)).toMatchObject({ outcome: 'Queued', seatsInUse: 1 });
    held.release();
  });

  it('says the same as the answers of requests do', async () => {
    const { headers } = await mouse.request('GET', `${MAPS}/none`);
    const { flowSchema } = await review(OF_MOUSE);
    const FLOW = '/apis/flowcontrol.apiserver.platform.io/v1beta2/flowschemas';
    const { body } = await plane.admin.request('GET', `${FLOW}/${String(flowSchema)}`);
    expect(headers['x-platform-pf-flowschema-uid']).toBe(body.metadata.uid);
  });

  it.each([
    [{}, 'exactly one of spec.resourceAttributes and spec.nonResourceAttributes is required'],
    [{ resourceAttributes: { verb: 'get' } }, 'spec.user or spec.groups is required'],
    [{ user: 'a', resourceAttributes: {} }, 'the verb is required'],
    [{ ...OF_MOUSE, query: 'a'.repeat(5000) }, 'spec.query must have at most 4096 characters'],
  ])('that makes no sense is refused: %j', async (spec, message) => {
    const { status, body } = await plane.admin.request('POST', `${EXPLAIN}/flowreviews`, { spec });
    expect([status, body.message]).toEqual([400, message]);
  });
});

it('nothing of this is for those who may not ask', async () => {
  for (const path of [`${EXPLAIN}/requests`, `${EXPLAIN}/requests/a`]) {
    expect((await mouse.request('GET', path)).status).toBe(403);
  }
  expect((await mouse.request('POST', `${EXPLAIN}/flowreviews`, { spec: OF_MOUSE })).status).toBe(403);
  expect((await plane.admin.request('GET', `${EXPLAIN}/requests/none`)).status).toBe(404);
});
