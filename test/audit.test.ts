import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Event } from '../src/kinds/audit/event.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { eventsOf, eventually, linesIn, policyFile, type RecordedEvent } from './support/audit.ts';
import { PROTOBUF, Translator } from './support/binary.ts';
import { type Answer, asNobody, type Headers, http1Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

const RULES = [
  { level: 'None', nonResourceURLs: ['/healthz*'] },
  { level: 'Metadata', resources: [{ group: '', resources: ['secrets', 'serviceaccounts/token'] }] },
  { level: 'Request', verbs: ['delete', 'patch'], omitStages: ['RequestReceived'] },
  { level: 'RequestResponse', resources: [{ group: '', resources: ['events'] }], omitManagedFields: true },
  { level: 'RequestResponse' },
];

let directory: string;
let file: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  file = join(directory, 'audit.log');
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'token-of-bob,bob,2\n');
  const auditPolicyFile = await policyFile(directory, RULES);
  plane = await startTestServer({ auditPolicyFile, auditLogPath: file, tokenAuthFile });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

const idOf = ({ headers }: Answer): string => String(headers['audit-id']);
const recordOf = (answer: Answer): Promise<RecordedEvent[]> => eventsOf(file, idOf(answer));

async function lastOf(answer: Answer): Promise<RecordedEvent> {
  const last = (await recordOf(answer)).at(-1);
  if (!last) throw new Error('there is no event');
  return last;
}

const send = (method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

describe('a request', () => {
  it('is recorded as it was sent, without what the server has made of it since', async () => {
    const answer = await send('POST', MAPS, { data: { key: 'value' }, metadata: { name: 'sent' } });
    const { requestObject, responseObject } = await lastOf(answer);
    expect(Object.keys(Object(responseObject).metadata)).toContain('uid');
    expect(requestObject).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'sent', creationTimestamp: null },
      data: { key: 'value' },
    });
  });

  it('is recorded when it arrives and when it is answered, in the shape that readers know', async () => {
    const answer = await send(
      'POST',
      MAPS,
      { metadata: { name: 'a' }, data: { key: 'value' } },
      { 'user-agent': 'me/1' },
    );
    const events = await recordOf(answer);
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
    expect(events[0]).toEqual({
      kind: 'Event',
      apiVersion: 'audit.platform.io/v1',
      level: 'RequestResponse',
      auditID: idOf(answer),
      stage: 'RequestReceived',
      requestURI: MAPS,
      verb: 'create',
      user: { username: 'platform-admin', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'me/1',
      objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
      requestReceivedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      stageTimestamp: events[0]?.requestReceivedTimestamp,
    });
    expect(events[1]).toMatchObject({
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { key: 'value' } },
      responseObject: answer.body,
      annotations: { 'authorization.platform.io/decision': 'allow', 'authorization.platform.io/reason': '' },
    });
  });

  it('is told as the declaration of events has it, field by field and in its order', async () => {
    await send('POST', MAPS, { metadata: { name: 'b' } });
    await send('GET', `${MAPS}/none`, undefined, { 'impersonate-user': 'eve', 'impersonate-extra-scope': 'x' });
    const lines = await linesIn(file);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      const { responseStatus, ...event } = JSON.parse(line);
      const { value, unknown } = canonicalise(Event, event);
      expect(unknown).toEqual([]);
      expect(JSON.stringify(value)).toBe(JSON.stringify(event));
      expect(Object.keys(responseStatus?.metadata ?? {})).toEqual([]);
    }
  });

  it('that changes an object is recorded with the change, and completes what the path does not say', async () => {
    await send('POST', MAPS, { metadata: { name: 'c' } });
    const patched = await lastOf(await send('PATCH', `${MAPS}/c`, { data: { x: '1' } }));
    expect(patched).toMatchObject({ level: 'Request', requestObject: { data: { x: '1' } } });
    expect(patched.responseObject).toBeUndefined();
    const { body } = await send('GET', `${MAPS}/c`);
    const { objectRef } = await lastOf(await send('PUT', `${MAPS}/c`, body));
    expect(objectRef).toMatchObject({ uid: body.metadata.uid, resourceVersion: body.metadata.resourceVersion });
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    const events = await recordOf(await send('DELETE', `${MAPS}/c`, options));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      requestObject: options,
      responseStatus: { metadata: {}, status: 'Success', details: { name: 'c', kind: 'configmaps' }, code: 200 },
    });
  });

  it('that is refused says why, and by whom', async () => {
    const bob = http1Client(withToken(plane.connection, 'token-of-bob'));
    onTestFinished(() => bob.close());
    const answer = await bob.request('GET', `${MAPS}/a`);
    expect(await lastOf(answer)).toMatchObject({
      user: { username: 'bob', uid: '2', groups: ['system:authenticated'] },
      responseStatus: { metadata: {}, status: 'Failure', reason: 'Forbidden', message: answer.body.message, code: 403 },
      responseObject: { kind: 'Status', code: 403 },
      annotations: { 'authorization.platform.io/decision': 'forbid', 'authorization.platform.io/reason': '' },
    });
  });

  it('with rights says where they come from', async () => {
    const apiGroup = 'rbac.authorization.platform.io';
    await send('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, {
      metadata: { name: 'carols' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup, kind: 'User', name: 'carol' }],
    });
    const { annotations } = await lastOf(await send('GET', MAPS, undefined, { 'impersonate-user': 'carol' }));
    expect(annotations?.['authorization.platform.io/reason']).toMatch(/^RBAC: allowed by ClusterRoleBinding "carols"/);
  });

  it('under another name is recorded with both', async () => {
    const headers = { 'impersonate-user': 'eve', 'impersonate-group': 'dev', 'impersonate-extra-scope': ['x', 'y'] };
    const event = await lastOf(await send('GET', MAPS, undefined, headers));
    expect(event.user.username).toBe('platform-admin');
    expect(event.impersonatedUser).toEqual({
      username: 'eve',
      groups: ['dev', 'system:authenticated'],
      extra: { scope: ['x', 'y'] },
    });
  });

  it('of nobody who can be known leaves one event, without the credential', async () => {
    const stranger = http1Client(withToken(plane.connection, 'guessed-token'));
    onTestFinished(() => stranger.close());
    const events = await recordOf(await stranger.request('GET', MAPS));
    expect(events).toMatchObject([
      {
        stage: 'ResponseStarted',
        user: {},
        responseStatus: { code: 401, message: 'Authentication failed, attempted: bearer', reason: 'Unauthorized' },
      },
    ]);
    const odd = http1Client(asNobody(plane.connection));
    onTestFinished(() => odd.close());
    const answer = await odd.request('GET', MAPS, undefined, { authorization: 'guessed-token-without-scheme' });
    expect(await readFile(file, 'utf8')).not.toContain('guessed');
    expect(answer.status).toBeGreaterThan(400);
  });

  it('that the policy does not want leaves nothing', async () => {
    expect(await recordOf(await send('GET', '/healthz'))).toEqual([]);
  });

  it('names its way, which the last peer cannot make up', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, nonsense, 192.0.2.2', 'x-real-ip': '192.0.2.3' };
    const { sourceIPs } = await lastOf(await send('GET', MAPS, undefined, headers));
    expect(sourceIPs).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '127.0.0.1']);
  });

  it('for a version on its way out says so', async () => {
    const path = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
    expect((await lastOf(await send('GET', path))).annotations).toMatchObject({
      'platform.io/deprecated': 'true',
      'platform.io/removed-release': '1.26',
    });
  });

  it('with a defect in its body is recorded without one', async () => {
    const event = await lastOf(await send('POST', MAPS, { metadata: { name: 'd' }, data: 'no map' }));
    expect(event.responseStatus?.code).toBe(400);
    expect(event.requestObject).toBeUndefined();
  });

  it('has its defaults filled in, as the server understood it', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments?dryRun=All';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const { requestObject } = await lastOf(await send('POST', path, { metadata: { name: 'd' }, spec }));
    expect(requestObject).toMatchObject({
      kind: 'Deployment',
      spec: { replicas: 1, strategy: { type: 'RollingUpdate' } },
    });
  });
});

describe('an answer', () => {
  it.each([
    ['pretty', `${MAPS}?pretty=1`, 'application/json'],
    ['YAML', MAPS, 'application/yaml'],
    ['binary', MAPS, PROTOBUF],
  ])('in %s is recorded as the JSON it stands for, on one line', async (_, path, accept) => {
    const { body } = await send('GET', MAPS);
    const event = await lastOf(await send('GET', path, undefined, { accept }));
    expect(event.responseObject?.kind).toBe('ConfigMapList');
    expect(event.responseObject?.items).toEqual(body.items);
  });

  it('that is a table, or in binary like its request, is recorded as such', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.platform.io';
    const table = await send('GET', MAPS, undefined, { accept });
    expect((await lastOf(table)).responseObject).toEqual(table.body);
    const translator = new Translator(plane.server.catalogue, 'meta.platform.io');
    const bytes = translator.encode({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'binary' },
      data: { a: 'b' },
    });
    const event = await lastOf(await send('POST', MAPS, bytes, { accept: PROTOBUF, 'content-type': PROTOBUF }));
    expect(event.requestObject).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'binary' }, data: { a: 'b' } });
    expect(event.responseObject).toEqual((await send('GET', `${MAPS}/binary`)).body);
  });

  it('that is compressed, or sent bit by bit, is recorded whole', async () => {
    const filler = 'x'.repeat(300_000);
    for (let count = 0; count < 6; count++) {
      await send('POST', '/api/v1/namespaces/platform-public/configmaps', {
        metadata: { name: `m${count}` },
        data: { filler },
      });
    }
    const path = '/api/v1/namespaces/platform-public/configmaps';
    const compressed = await send('GET', path, undefined, { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    const streamed = await send('GET', path);
    expect(streamed.bytes.length).toBeGreaterThan(1_800_000);
    for (const answer of [compressed, streamed]) {
      const event = await eventually(async () => (await recordOf(answer))[1]);
      expect(event.responseObject).toEqual(streamed.body);
    }
  });

  it('has no owners of fields where the policy does not want them', async () => {
    const path = '/api/v1/namespaces/default/events';
    const involvedObject = { namespace: 'default' };
    const created = await send('POST', path, { metadata: { name: 'e' }, involvedObject, reason: 'x', type: 'Normal' });
    expect(JSON.stringify(created.body)).toContain('managedFields');
    const list = await send('GET', path);
    for (const answer of [created, list]) {
      const { responseObject } = await lastOf(answer);
      expect(responseObject?.kind).toMatch(/^Event/);
      expect(JSON.stringify(responseObject)).not.toContain('managedFields');
    }
  });

  it('that lasts is recorded when it begins and when it ends', async () => {
    const answer = await send('GET', `${MAPS}?watch=1&timeoutSeconds=1`);
    const events = await eventually(async () => {
      const all = await recordOf(answer);
      return all.length === 3 ? all : undefined;
    });
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]).toMatchObject({ responseStatus: { code: 200 } });
    expect(events[2]?.annotations?.['apiserver.latency.platform.io/total']).toMatch(/^1(\.\d+)?s$/);
    expect(events[2]?.responseObject).toBeUndefined();
  });
});

it('secrets and tokens are in no event but where the policy wants them', async () => {
  const secret = await send('POST', SECRETS, { metadata: { name: 's' }, stringData: { password: 'open sesame' } });
  expect((await lastOf(secret)).objectRef).toMatchObject({ resource: 'secrets', name: 's' });
  await send('GET', `${SECRETS}/s`);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { metadata: { name: 'robot' } });
  const { token } = (await send('POST', `${accounts}/robot/token`, { spec: {} })).body.status as { token: string };
  const robot = http1Client(withToken(plane.connection, token));
  onTestFinished(() => robot.close());
  await robot.request('GET', `${SECRETS}/s`);
  const all = await readFile(file, 'utf8');
  expect(all).toContain('system:serviceaccount:default:robot');
  for (const hidden of ['open sesame', Buffer.from('open sesame').toString('base64'), token, 'token-of-bob']) {
    expect(all).not.toContain(hidden);
  }
});

it('the use of a token that never runs out is noted', async () => {
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'old' } });
  const annotations = { 'platform.io/service-account.name': 'old' };
  await send('POST', SECRETS, { metadata: { name: 'old', annotations }, type: 'platform.io/service-account-token' });
  const token = await eventually(async () => (await send('GET', `${SECRETS}/old`)).body.data?.token);
  const old = http1Client(withToken(plane.connection, Buffer.from(token, 'base64').toString()));
  onTestFinished(() => old.close());
  const [first, last] = await recordOf(await old.request('GET', MAPS));
  for (const event of [first, last]) {
    const note = event?.annotations?.['authentication.platform.io/legacy-token'];
    expect(note).toBe('system:serviceaccount:default:old');
  }
});

it('metrics tell how much is recorded', async () => {
  const { text } = await send('GET', '/metrics');
  expect(Number(/^apiserver_audit_event_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10);
  expect(text).toMatch(/^apiserver_audit_level_total\{level="Metadata"\} \d+$/m);
  expect(text).toMatch(/^apiserver_audit_level_total\{level="None"\} \d+$/m);
});
