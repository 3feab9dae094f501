import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { eventually } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { asNobody, http1Client, withToken } from './support/client.ts';
import { remoteConfiguration } from './support/remote-configuration.ts';
import { type Received, RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const authority = new TestAuthority('webhooks');
const planes: TestServer[] = [];
let directory: string;
let one: RemoteService;
let two: RemoteService;

beforeAll(async () => {
  directory = await makeDirectory();
  [one, two] = [await RemoteService.open(authority), await RemoteService.open(authority)];
  await writeFile(join(directory, 'one.conf'), remoteConfiguration(authority, one.url));
  await writeFile(join(directory, 'two.conf'), remoteConfiguration(authority, two.url));
  await writeFile(join(directory, 'tokens.csv'), 'alice-token,alice,7,"dev,ops"\nbob-token,bob,8\n');
});

beforeEach(() => {
  for (const service of [one, two]) {
    service.received.length = 0;
    answerWith(service, { allowed: false });
  }
});

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await removeDirectory(directory);
});

const answerWith = (service: RemoteService, status: object): void => {
  service.answer = ({ body }) => ({ body: { ...JSON.parse(body), status } });
};

const webhook = (name: string, changes: object = {}) => ({
  type: 'Webhook',
  name,
  webhook: {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: join(directory, `${name}.conf`) },
    ...changes,
  },
});
const when = (...expressions: readonly string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});
const rbac = { type: 'RBAC', name: 'rbac' };

const configuration = (authorizers: readonly object[], version = 'v1'): string =>
  JSON.stringify({
    apiVersion: `apiserver.config.platform.io/${version}`,
    kind: 'AuthorizationConfiguration',
    authorizers,
  });

interface Started extends TestServer {
  readonly file: string;
  readonly runtime: ShiftableRuntime;
  readonly told: string[];
}

let files = 0;
async function start(text: string, options: StartOptions = {}): Promise<Started> {
  const file = join(directory, `authorization-${files++}.yaml`);
  await writeFile(file, text);
  const runtime = new ShiftableRuntime();
  const told: string[] = [];
  const note = (_: object, message: string) => void told.push(message);
  const plane = await startTestServer({
    tokenAuthFile: join(directory, 'tokens.csv'),
    authorizationConfig: file,
    runtime,
    logger: { info: note, warn: note, error: note, informs: true },
    ...options,
  });
  planes.push(plane);
  return { ...plane, file, runtime, told };
}

async function statusAs(plane: TestServer, name: string, path: string): Promise<number> {
  const client = http1Client(withToken(plane.connection, `${name}-token`));
  onTestFinished(() => client.close());
  return (await client.request('GET', path)).status;
}

/** What a service was asked about users; control loops have it asked as well. */
const asked = ({ received }: { received: readonly Received[] }): { spec: { user: string } }[] =>
  received.map(({ body }) => JSON.parse(body)).filter(({ spec }) => !spec.user.startsWith('system:serviceaccount:'));

/** Writes the file anew and waits until the server has said something about it. */
async function rewrite({ file, runtime, told }: Started, text: string, message: string): Promise<void> {
  await writeFile(file, text);
  await eventually(() => {
    runtime.advance(5_000);
    return told.includes(message) || undefined;
  });
}

const SECRET = '/api/v1/namespaces/default/secrets/s';

describe('webhooks of a file', () => {
  it('are asked in order, and the first that decides does', async () => {
    const plane = await start(configuration([webhook('one'), webhook('two'), rbac]));
    expect(await statusAs(plane, 'alice', SECRET)).toBe(403);
    expect([asked(one).length, asked(two).length]).toEqual([1, 1]);
    answerWith(one, { denied: true });
    answerWith(two, { allowed: true });
    expect(await statusAs(plane, 'alice', `${SECRET}2`)).toBe(403);
    expect([asked(one).length, asked(two).length]).toEqual([2, 1]);
    answerWith(one, {});
    expect(await statusAs(plane, 'alice', `${SECRET}3`)).toBe(404);
  });

  it('are asked only about what fulfils their conditions', async () => {
    answerWith(one, { allowed: true });
    const conditions = when(
      'has(request.resourceAttributes) && request.resourceAttributes.namespace == "default"',
      'request.user == "alice" && "dev" in request.groups && request.uid == "7"',
    );
    const plane = await start(configuration([webhook('one', conditions), rbac]));
    expect(await statusAs(plane, 'alice', SECRET)).toBe(404);
    expect(await statusAs(plane, 'bob', SECRET)).toBe(403);
    expect(await statusAs(plane, 'alice', '/api/v1/namespaces/other/secrets/s')).toBe(403);
    expect(await statusAs(plane, 'alice', '/nowhere')).toBe(403);
    expect(asked(one).map(({ spec }) => spec.user)).toEqual(['alice']);
  });

  it('whose condition has no answer fail as their policy says', async () => {
    const broken = when('request.extra["level"][0] == "1"');
    const denying = await start(
      configuration([webhook('one', { ...broken, failurePolicy: 'Deny' }), { type: 'AlwaysAllow', name: 'all' }]),
    );
    expect(await statusAs(denying, 'alice', SECRET)).toBe(500);
    const open = await start(configuration([webhook('one', broken), { type: 'AlwaysAllow', name: 'all' }]));
    expect(await statusAs(open, 'alice', SECRET)).toBe(404);
    // One that says no counts more.
    const both = when('request.extra["level"][0] == "1"', 'request.user == "nobody"');
    const skipped = await start(
      configuration([webhook('one', { ...both, failurePolicy: 'Deny' }), { type: 'AlwaysAllow', name: 'all' }]),
    );
    expect(await statusAs(skipped, 'alice', SECRET)).toBe(404);
    expect(asked(one)).toEqual([]);
  });

  it('that do not answer in their time have no opinion, or deny', async () => {
    const silent = new Promise<never>(() => undefined);
    one.answer = ({ body }) =>
      JSON.parse(body).spec.user === 'alice' ? silent : { body: { ...JSON.parse(body), status: {} } };
    const all = { type: 'AlwaysAllow', name: 'all' };
    const quick = { timeout: '50ms' };
    const open = await start(configuration([webhook('one', quick), all]));
    expect(await statusAs(open, 'alice', SECRET)).toBe(404);
    const closed = await start(configuration([webhook('one', { ...quick, failurePolicy: 'Deny' }), all]));
    expect(await statusAs(closed, 'alice', SECRET)).toBe(500);
  });

  it('have times of their own for which answers are remembered', async () => {
    const plane = await start(configuration([webhook('one', { authorizedTTL: '1h', unauthorizedTTL: '1m' }), rbac]));
    expect(await statusAs(plane, 'bob', SECRET)).toBe(403);
    answerWith(one, { allowed: true });
    expect(await statusAs(plane, 'bob', SECRET)).toBe(403);
    plane.runtime.advance(61_000);
    expect(await statusAs(plane, 'bob', SECRET)).toBe(404);
    answerWith(one, { allowed: false });
    plane.runtime.advance(3_500_000);
    expect(await statusAs(plane, 'bob', SECRET)).toBe(404);
    plane.runtime.advance(101_000);
    expect(await statusAs(plane, 'bob', SECRET)).toBe(403);
  });
});

describe('a file that changes', () => {
  it('counts for the next request, with modes that were not there before', async () => {
    const plane = await start(configuration([rbac]));
    expect(await statusAs(plane, 'alice', SECRET)).toBe(403);
    answerWith(one, { allowed: true });
    const changed = configuration([{ type: 'Node', name: 'nodes' }, webhook('one'), rbac]);
    await rewrite(plane, changed, 'the authorization configuration was read again and counts from now on');
    expect(await statusAs(plane, 'alice', SECRET)).toBe(404);
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/^apiserver_authorization_config_controller_automatic_reloads_total\{status="success"\} 1$/m);
    // What another webhook of the same name has answered counts no more.
    answerWith(two, {});
    const other = configuration([{ ...webhook('two'), name: 'one' }, rbac]);
    plane.told.length = 0;
    await rewrite(plane, other, 'the authorization configuration was read again and counts from now on');
    expect(await statusAs(plane, 'alice', SECRET)).toBe(403);
  });

  it('and makes no sense is told of, counted, and the former one stays', async () => {
    const plane = await start(configuration([rbac]));
    await rewrite(plane, configuration([]), 'the authorization configuration cannot be used; the former one stays');
    expect(await statusAs(plane, 'alice', SECRET)).toBe(403);
    expect((await plane.admin.request('GET', '/api/v1/namespaces/default')).status).toBe(200);
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/^apiserver_authorization_config_controller_automatic_reloads_total\{status="failure"\} 1$/m);
  });

  it('to allow everything lets nobody in without a name from then on', async () => {
    const plane = await start(configuration([rbac]));
    const nobody = http1Client(asNobody(plane.connection));
    onTestFinished(() => nobody.close());
    expect((await nobody.request('GET', '/livez')).status).toBe(200);
    const open = configuration([{ type: 'AlwaysAllow', name: 'all' }]);
    await rewrite(plane, open, 'the authorization configuration was read again and counts from now on');
    expect((await nobody.request('GET', '/livez')).status).toBe(401);
    expect(await statusAs(plane, 'bob', SECRET)).toBe(404);
    // Control loops have what their roles say, and go on.
    expect((await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'going' } })).status).toBe(201);
    expect((await plane.admin.request('DELETE', '/api/v1/namespaces/going')).status).toBe(200);
    await eventually(
      async () => (await plane.admin.request('GET', '/api/v1/namespaces/going')).status === 404 || undefined,
    );
  });
});

describe('a file is refused', () => {
  const first = 'authorizers[0]';
  it.each([
    ['kind: Pod', 'kind AuthorizationConfiguration of apiVersion apiserver.config.platform.io/v1 or'],
    [() => configuration([]), 'authorizers: at least one is required'],
    [() => configuration([{ type: 'Magic', name: 'x' }]), `${first}.type: must be one of AlwaysAllow`],
    [() => configuration([{ type: 'RBAC' }]), `${first}.name: required`],
    [() => configuration([{ type: 'RBAC', name: 'A_b' }]), `${first}.name: a lowercase RFC 1123 subdomain`],
    [() => configuration([rbac, { ...rbac, name: 'x' }]), 'authorizers[1].type: "RBAC" is there twice'],
    [() => configuration([rbac, webhook('rbac')]), 'authorizers[1].name: "rbac" is there twice'],
    [() => configuration([{ ...rbac, webhook: {} }]), `${first}.webhook: may only be set when type is Webhook`],
    [() => configuration([{ type: 'Webhook', name: 'x' }]), `${first}.webhook: required`],
    [() => configuration([{ type: 'ABAC', name: 'x' }]), `${first}.type: ABAC needs --authorization-policy-file`],
    [() => configuration([webhook('one', { timeout: undefined })]), `${first}.webhook.timeout: required`],
    [() => configuration([webhook('one', { timeout: '31s' })]), `${first}.webhook.timeout: must be at most 30s`],
    [() => configuration([webhook('one', { timeout: 'soon' })]), `${first}.webhook.timeout: a duration such as`],
    [() => configuration([webhook('one', { authorizedTTL: '0' })]), `${first}.webhook.authorizedTTL: must be greater`],
    [
      () => configuration([webhook('one', { failurePolicy: 'Ignore' })]),
      'failurePolicy: must be one of NoOpinion, Deny',
    ],
    [() => configuration([webhook('one', { tiemout: '1s' })]), `${first}.webhook.tiemout: unknown field`],
    [() => configuration([webhook('none')]), `${first}.webhook.connectionInfo: `],
    [() => configuration([webhook('one', { connectionInfo: { type: 'InClusterConfig' } })]), 'does not run in a pod'],
    [() => configuration([webhook('one', when('request.'))]), `${first}.webhook.matchConditions[0].expression: comp`],
    [() => configuration([webhook('one', when('request.user'))]), 'expression: must evaluate to bool, not string'],
    [() => configuration([webhook('one', when('request.nose == 1'))]), 'undefined field'],
    [
      () => configuration([webhook('one', { ...when('true'), matchConditionSubjectAccessReviewVersion: 'v2' })]),
      'matchConditionSubjectAccessReviewVersion: must be v1',
    ],
  ] as [string | (() => string), string][])('%#: that says something else than %s', async (text, message) => {
    const file = join(directory, `refused-${files++}.yaml`);
    await writeFile(file, typeof text === 'string' ? text : text());
    const starting = startTestServer({ authorizationConfig: file });
    await expect(starting).rejects.toThrow(`--authorization-config ${file}: `);
    await expect(starting).rejects.toThrow(message);
  });

  it.each([
    [{ authorizationMode: ['Node', 'RBAC'] }, '--authorization-config takes the place of --authorization-mode'],
    [
      { authorizationWebhookVersion: 'v1' as const },
      '--authorization-config takes the place of --authorization-webhook-version',
    ],
  ])('together with the flags that it takes the place of: %j', async (options, message) => {
    await expect(startTestServer({ authorizationConfig: '/nowhere', ...options })).rejects.toThrow(message);
  });

  it.each(['v1alpha1', 'v1beta1', 'v1'])('but not for being of %s', async (version) => {
    const plane = await start(configuration([rbac], version));
    expect(await statusAs(plane, 'alice', SECRET)).toBe(403);
  });
});
