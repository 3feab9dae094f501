import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, type Document, http1Client, withToken } from './support/client.ts';
import { HeldRequests, type SentRequest, sendHttp1, sendHttp2 } from './support/held-request.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const FLOW = '/apis/flowcontrol.apiserver.platform.io/v1beta2';
const SCHEMAS = `${FLOW}/flowschemas`;
const LEVELS = `${FLOW}/prioritylevelconfigurations`;
const DUMPS = '/debug/api_priority_and_fairness';
const MAPS = '/api/v1/namespaces/default/configmaps';
const AUTOUPDATE = 'apf.platform.io/autoupdate-spec';
const KEPT = { metadata: { generateName: 'kept-' } };

const runtime = new ShiftableRuntime();
let directory: string;
let plane: TestServer;
let elephant: Client;
let mouse: Client;
let held: HeldRequests;

beforeAll(async () => {
  directory = await makeDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'elephant,elephant,1\nmouse,mouse,2\n');
  // So few seats that the levels these tests are about have one each.
  plane = await startTestServer({
    runtime,
    tokenAuthFile,
    authorizationMode: ['AlwaysAllow'],
    maxRequestsInflight: 7,
    maxMutatingRequestsInflight: 0,
  });
  runtime.advance(1000);
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

/** A line of a dump, as numbers and words by the names of their columns. */
async function dump(name: string, level: string): Promise<Record<string, string>[]> {
  const { text } = await plane.admin.request('GET', `${DUMPS}/${name}`);
  const [head = [], ...rows] = text.split('\n').map((line) => line.split(/, */));
  return rows
    .filter(([first]) => first === level)
    .map((row) => Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])));
}

async function expectAt(level: string, executing: number, waiting: number): Promise<void> {
  await insist(async () => {
    const [row] = await dump('dump_priority_levels', level);
    expect(row).toMatchObject({ ExecutingRequests: String(executing), WaitingRequests: String(waiting) });
  });
}

/** Waits until the bytes of bodies under way are so. */
async function expectBodies(are: (bytes: number) => boolean): Promise<void> {
  await insist(async () => {
    const { text } = await plane.admin.request('GET', '/metrics');
    const bytes = Number(/^apiserver_request_body_bytes (\d+)$/m.exec(text)?.[1]);
    expect(are(bytes), String(bytes)).toBe(true);
  });
}

/** Takes the only seat of a level, until the end of the test at the latest. */
async function takeSeat(token = 'elephant', level = 'global-default'): Promise<SentRequest> {
  await expectAt(level, 0, 0);
  const sent = sendHttp1(withToken(plane.connection, token), MAPS, held.body);
  onTestFinished(() => held.release());
  await expectAt(level, 1, 0);
  return sent;
}

const get = async (path: string): Promise<Document> => (await plane.admin.request('GET', path)).body;

/** A level of one seat for requests about config maps, and the way to it. */
async function makeLevel(name: string, limitResponse: object, shares = 1): Promise<void> {
  const limited = { assuredConcurrencyShares: shares, limitResponse };
  const user = { kind: 'User', user: { name: 'elephant' } };
  const resources = { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] };
  const spec = {
    priorityLevelConfiguration: { name },
    matchingPrecedence: 50,
    rules: [{ subjects: [user], resourceRules: [resources] }],
  };
  const level = await plane.admin.request('POST', LEVELS, { metadata: { name }, spec: { type: 'Limited', limited } });
  const schema = await plane.admin.request('POST', SCHEMAS, { metadata: { name }, spec });
  onTestFinished(async () => {
    await plane.admin.request('DELETE', `${SCHEMAS}/${name}`);
    await plane.admin.request('DELETE', `${LEVELS}/${name}`);
  });
  expect([level.status, schema.status], `${level.text}${schema.text}`).toEqual([201, 201]);
}

describe('a request', () => {
  it('is told by which flow schema and priority level it was answered, whatever the answer', async () => {
    const schema = await get(`${SCHEMAS}/global-default`);
    const level = await get(`${LEVELS}/global-default`);
    for (const path of [MAPS, `${MAPS}/none`, '/nowhere']) {
      const { headers } = await mouse.request('GET', path);
      expect(headers['x-platform-pf-flowschema-uid']).toBe(schema.metadata.uid);
      expect(headers['x-platform-pf-prioritylevel-uid']).toBe(level.metadata.uid);
    }
    const { headers } = await plane.admin.request('GET', MAPS);
    expect(headers['x-platform-pf-flowschema-uid']).toBe((await get(`${SCHEMAS}/exempt`)).metadata.uid);
  });

  it('waits while all seats of its level are taken, and goes on when one is free', async () => {
    const first = await takeSeat();
    let answered = false;
    const waiting = mouse.request('GET', MAPS).finally(() => {
      answered = true;
    });
    await expectAt('global-default', 1, 1);
    expect(answered).toBe(false);
    held.release();
    expect((await first.answer).status).toBe(201);
    expect((await waiting).status).toBe(200);
    await expectAt('global-default', 0, 0);
  });

  it('does not wait with masters, with probes and with other levels', async () => {
    await takeSeat();
    expect((await plane.admin.request('GET', MAPS)).status).toBe(200);
    expect((await elephant.request('GET', '/readyz')).status).toBe(200);
    await makeLevel('aside', { type: 'Reject' });
    expect((await elephant.request('GET', MAPS)).status).toBe(200);
  });

  it('that waits too long is refused with 429, and told when to come back', async () => {
    await takeSeat();
    const waiting = mouse.request('GET', MAPS);
    await expectAt('global-default', 1, 1);
    runtime.advance(15_000);
    const { status, headers, body } = await waiting;
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect(body).toMatchObject({ reason: 'TooManyRequests', message: 'too many requests, please try again later' });
    expect(body).toMatchObject({ details: { retryAfterSeconds: 1 } });
    expect(headers['x-platform-pf-flowschema-uid']).toBeDefined();
    await expectAt('global-default', 1, 0);
  });

  it('is shown while it waits', async () => {
    await takeSeat();
    const waiting = mouse.request('GET', `${MAPS}/some`);
    await expectAt('global-default', 1, 1);
    const [row] = await dump('dump_requests?includeRequestDetails=1', 'global-default');
    expect(row).toMatchObject({
      FlowSchemaName: 'global-default',
      FlowDistingsher: 'mouse',
      RequestIndexInQueue: '0',
      InitialSeats: '1',
      UserName: 'mouse',
      Verb: 'get',
      APIPath: `${MAPS}/some`,
      Name: 'some',
      Resource: 'configmaps',
    });
    const [queue] = await dump('dump_queues', 'global-default');
    expect(queue).toMatchObject({ Index: row?.QueueIndex, PendingRequests: '1', ExecutingRequests: '0' });
    runtime.advance(15_000);
    expect((await waiting).status).toBe(429);
  });
});

describe.each(Object.entries({ 'HTTP/1.1': sendHttp1, 'HTTP/2': sendHttp2 }))('over %s', (_protocol, send) => {
  it('a client that goes away while it waits frees its place in the queue', async () => {
    await takeSeat();
    const waiting = send(withToken(plane.connection, 'mouse'), MAPS, KEPT);
    await expectAt('global-default', 1, 1);
    waiting.leave();
    await expectAt('global-default', 1, 0);
  });

  it('a client that sends its body slowly holds no seat, and what was reserved for it is free when it goes away', async () => {
    const slow = Array.from({ length: 3 }, () => send(withToken(plane.connection, 'elephant'), MAPS, KEPT, true));
    await expectBodies((bytes) => bytes > 0);
    await expectAt('global-default', 0, 0);
    expect((await mouse.request('GET', MAPS)).status).toBe(200);
    const [first, ...others] = slow;
    expect((await first?.finish())?.status).toBe(201);
    for (const one of others) one.leave();
    await expectBodies((bytes) => bytes === 0);
  });
});

it('an injected request waits as any other, and gives up when it is aborted', async () => {
  await takeSeat();
  const client = new AbortController();
  const headers = { authorization: 'Bearer mouse' };
  const aborted = plane.server.inject({ target: MAPS, headers, signal: client.signal });
  const patient = plane.server.inject({ target: MAPS, headers });
  await expectAt('global-default', 1, 2);
  client.abort();
  expect((await aborted).status).toBe(429);
  await expectAt('global-default', 1, 1);
  held.release();
  expect((await patient).status).toBe(200);
});

it('a watch has a seat only until its answer begins', async () => {
  const watch = plane.server.inject({
    target: `${MAPS}?watch=1&timeoutSeconds=5`,
    headers: { authorization: 'Bearer mouse' },
  });
  await insist(async () => {
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/request_execution_seconds_count\{[^}]*"global-default",type="watch"\} 1\b/);
  });
  await expectAt('global-default', 0, 0);
  expect((await mouse.request('GET', MAPS)).status).toBe(200);
  runtime.advance(5000);
  expect((await watch).status).toBe(200);
});

describe('a changed configuration takes effect at once:', () => {
  it('a level that lets nobody wait refuses what finds no seat', async () => {
    await makeLevel('refusing', { type: 'Reject' });
    await takeSeat('elephant', 'refusing');
    const { status, body } = await elephant.request('GET', MAPS);
    expect([status, body.reason]).toEqual([429, 'TooManyRequests']);
    expect((await mouse.request('GET', MAPS)).status).toBe(200);
  });

  it('a full queue refuses, whoever asks', async () => {
    const queuing = { queues: 1, handSize: 1, queueLengthLimit: 2 };
    await makeLevel('short', { type: 'Queue', queuing });
    await takeSeat('elephant', 'short');
    const waiting = [elephant.request('GET', MAPS), elephant.request('GET', MAPS)];
    await expectAt('short', 1, 2);
    expect((await elephant.request('GET', MAPS)).status).toBe(429);
    held.release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    const [row] = await dump('dump_priority_levels', 'short');
    expect(row).toMatchObject({ DispatchedRequests: '3', RejectedRequests: '1', IsIdle: 'true' });
  });

  it('those who wait begin when their level is given more seats', async () => {
    const queuing = { queues: 1, handSize: 1, queueLengthLimit: 5 };
    await makeLevel('growing', { type: 'Queue', queuing });
    await takeSeat('elephant', 'growing');
    const waiting = elephant.request('GET', MAPS);
    await expectAt('growing', 1, 1);
    const spec = { limited: { assuredConcurrencyShares: 10_000 } };
    expect((await plane.admin.request('PATCH', `${LEVELS}/growing`, { spec })).status).toBe(200);
    expect((await waiting).status).toBe(200);
    await expectAt('growing', 1, 0);
  });
});

describe('the objects that a server starts with', () => {
  it('say that the levels they lead to exist', async () => {
    await insist(async () => {
      const { items } = await get(SCHEMAS);
      expect(items).toHaveLength(13);
      for (const { status } of items) {
        expect(status).toMatchObject({ conditions: [{ type: 'Dangling', status: 'False', reason: 'Found' }] });
      }
    });
  });

  it.each([
    [SCHEMAS, 'catch-all'],
    [LEVELS, 'catch-all'],
    [LEVELS, 'exempt'],
    [SCHEMAS, 'service-accounts'],
    [LEVELS, 'workload-low'],
  ])('come back when they are deleted: %s %s', async (path, name) => {
    const before = await get(`${path}/${name}`);
    expect((await plane.admin.request('DELETE', `${path}/${name}`)).status).toBe(200);
    await insist(async () => {
      const after = await get(`${path}/${name}`);
      expect(after.spec).toEqual(before.spec);
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
    });
  });

  it('are kept as they are, unless they say that they are not to be', async () => {
    const path = `${LEVELS}/workload-high`;
    const shares = async (): Promise<unknown> => (await get(path)).spec.limited;
    const change = (value: number, kept: string) =>
      plane.admin.request('PATCH', path, {
        metadata: { annotations: { [AUTOUPDATE]: kept } },
        spec: { limited: { assuredConcurrencyShares: value } },
      });
    expect((await change(7, 'true')).status).toBe(200);
    await insist(async () => expect(await shares()).toMatchObject({ assuredConcurrencyShares: 40 }));
    expect((await change(7, 'false')).status).toBe(200);
    await plane.admin.request('DELETE', `${LEVELS}/system`);
    await insist(async () => expect((await get(`${LEVELS}/system`)).kind).toBe('PriorityLevelConfiguration'));
    expect(await shares()).toMatchObject({ assuredConcurrencyShares: 7 });
    await plane.admin.request('PATCH', path, { metadata: { annotations: { [AUTOUPDATE]: 'true' } } });
    await insist(async () => expect(await shares()).toMatchObject({ assuredConcurrencyShares: 40 }));
  });
});

it('a flow schema says whether it leads nowhere, and while it does is passed over', async () => {
  const spec = {
    priorityLevelConfiguration: { name: 'missing' },
    matchingPrecedence: 60,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'mouse' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
  };
  const { body: schema } = await plane.admin.request('POST', SCHEMAS, { metadata: { name: 'loose' }, spec });
  const expectDangling = (status: string): Promise<void> =>
    insist(async () =>
      expect((await get(`${SCHEMAS}/loose`)).status).toMatchObject({ conditions: [{ type: 'Dangling', status }] }),
    );
  const answeredBy = async () => (await mouse.request('GET', '/version')).headers['x-platform-pf-flowschema-uid'];
  await expectDangling('True');
  expect(await answeredBy()).not.toBe(schema.metadata.uid);
  const limited = { assuredConcurrencyShares: 1, limitResponse: { type: 'Reject' } };
  await plane.admin.request('POST', LEVELS, { metadata: { name: 'missing' }, spec: { type: 'Limited', limited } });
  expect(await answeredBy()).toBe(schema.metadata.uid);
  await expectDangling('False');
  await plane.admin.request('DELETE', `${LEVELS}/missing`);
  await expectDangling('True');
});

it('what happens to requests is counted', async () => {
  await takeSeat();
  const { text } = await plane.admin.request('GET', '/metrics');
  const metric = (name: string, labels: string): number =>
    Number(new RegExp(`^apiserver_flowcontrol_${name}\\{${labels}\\} (\\S+)$`, 'm').exec(text)?.[1]);
  const flow = 'priority_level="global-default",flow_schema="global-default"';
  expect(metric('request_concurrency_limit', 'priority_level="global-default"')).toBe(1);
  expect(metric('current_executing_requests', flow)).toBe(1);
  expect(metric('request_concurrency_in_use', flow)).toBe(1);
  expect(metric('current_inqueue_requests', flow)).toBe(0);
  expect(metric('dispatched_requests_total', flow)).toBeGreaterThan(5);
  expect(metric('rejected_requests_total', `${flow},reason="time-out"`)).toBeGreaterThan(1);
  expect(metric('rejected_requests_total', `${flow},reason="cancelled"`)).toBeGreaterThan(1);
  expect(metric('request_wait_duration_seconds_count', `${flow},execute="true"`)).toBeGreaterThan(5);
  expect(metric('request_wait_duration_seconds_count', `${flow},execute="false"`)).toBeGreaterThan(1);
});

describe('without priority and fairness', () => {
  it('as many requests are served as the two limits say, and no objects are made', async () => {
    const simple = await startTestServer({
      tokenAuthFile: join(directory, 'tokens.csv'),
      authorizationMode: ['AlwaysAllow'],
      enablePriorityAndFairness: false,
      maxMutatingRequestsInflight: 1,
      // They would be refused, too, and counted.
      controllers: ['-*'],
    });
    onTestFinished(() => simple.close());
    const holding = await HeldRequests.of(simple);
    onTestFinished(() => holding.close());
    const user = withToken(simple.connection, 'mouse');
    const client = http1Client(user);
    onTestFinished(() => client.close());
    const first = sendHttp1(user, MAPS, holding.body);
    const post = (by: Client) => by.request('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'a' } });
    await insist(async () => expect((await post(client)).status).toBe(429));
    const { headers, body } = await post(client);
    expect(headers['retry-after']).toBe('1');
    expect(body).toMatchObject({ reason: 'TooManyRequests', message: 'too many requests, please try again later' });
    expect(headers['x-platform-pf-flowschema-uid']).toBeUndefined();
    expect((await client.request('GET', MAPS)).status).toBe(200);
    expect((await post(simple.admin)).status).toBe(201);
    holding.release();
    expect((await first.answer).status).toBe(201);
    expect((await post(client)).status).toBe(201);
    expect((await simple.admin.request('GET', SCHEMAS)).body.items).toEqual([]);
    expect((await simple.admin.request('GET', '/metrics')).text).toContain(
      'apiserver_dropped_requests_total{request_kind="mutating"} 2',
    );
  });
});
