import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../src/api/release.ts';
import { LOOPS, SERVER_LOOPS } from '../src/controllers/loop-table.ts';
import type { StartOptions } from '../src/server/server.ts';
import { eventually, linesIn, policyFile, type RecordedEvent } from './support/audit.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

async function serve(options: StartOptions): Promise<TestServer> {
  const plane = await startTestServer(options);
  onTestFinished(() => plane.close());
  return plane;
}

async function directory(): Promise<string> {
  const path = await makeDirectory();
  onTestFinished(() => removeDirectory(path));
  return path;
}

/** The loops that have a work queue. */
async function queuesOf({ admin }: TestServer): Promise<string[]> {
  const { text } = await admin.request('GET', '/metrics');
  return [...text.matchAll(/^workqueue_depth\{name="([^"]+)"\}/gm)].map(([, name = '']) => name);
}

const makeNamespace = ({ admin }: TestServer, name: string) =>
  admin.request('POST', '/api/v1/namespaces', { metadata: { name } });

const found = (plane: TestServer, path: string) =>
  eventually(async () => {
    const answer = await plane.admin.request('GET', path);
    return answer.status === 200 ? answer.body : undefined;
  });
const gone = (plane: TestServer, path: string) =>
  eventually(async () => ((await plane.admin.request('GET', path)).status === 404 ? true : undefined));

describe('the setting controllers', () => {
  it('has those run that are on by default, and with tokens of machines two more', async () => {
    const namesOf = (when: string): string[] =>
      LOOPS.flatMap(({ name, byDefault }) => (byDefault === when ? name : []));
    const [always, withTokens] = [namesOf('always'), namesOf('with bootstrap tokens')];
    const usual = await queuesOf(await serve({}));
    expect(usual).toEqual(expect.arrayContaining(always));
    for (const name of withTokens) expect(usual).not.toContain(name);
    const more = await queuesOf(await serve({ enableBootstrapTokenAuth: true }));
    expect(more).toEqual(expect.arrayContaining([...always, ...withTokens]));
  });

  it('turns one on or off by its name', async () => {
    const queues = await queuesOf(await serve({ controllers: ['*', '-serviceaccount', 'tokencleaner', 'deployment'] }));
    expect(queues).toEqual(expect.arrayContaining(['root-ca-cert-publisher', 'tokencleaner']));
    expect(queues).not.toContain('serviceaccount');
    expect(queues).not.toContain('bootstrapsigner');
  });

  it('turns off all but what the server does for itself', async () => {
    const plane = await serve({ controllers: ['-*'], enableBootstrapTokenAuth: true });
    const { server, admin } = plane;
    await makeNamespace(plane, 'bare');
    const group = 'example.com';
    const names = { plural: 'things', kind: 'Thing' };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
    await admin.request('POST', '/apis/apiextensions.platform.io/v1/customresourcedefinitions', {
      metadata: { name: `things.${group}` },
      spec: { group, names, scope: 'Namespaced', versions },
    });
    await found(plane, `/apis/${group}/v1/namespaces/bare/things`);
    await found(plane, '/api/v1/namespaces/default/services/platform');
    for (const plural of ['serviceaccounts', 'configmaps']) {
      expect([...server.objects.versions({ group: '', plural }, 'bare')]).toEqual([]);
    }
    await admin.request('DELETE', '/api/v1/namespaces/bare');
    expect((await admin.request('GET', '/api/v1/namespaces/bare')).body.status).toMatchObject({ phase: 'Terminating' });
  });

  it('cannot name a loop that there is not', async () => {
    await expect(startTestServer({ controllers: ['*', '-frobnicator'] })).rejects.toThrow(
      'there is no control loop "frobnicator": see --controllers in --help',
    );
  });
});

/** Gives every loop something to do, and waits until all of it is done. */
async function exercise(plane: TestServer): Promise<void> {
  const { admin } = plane;
  const own = '/api/v1/namespaces/busy';
  const system = '/api/v1/namespaces/platform-system';
  await makeNamespace(plane, 'busy');
  const { metadata } = await found(plane, `${own}/configmaps/kube-root-ca.crt`);
  await found(plane, `${own}/serviceaccounts/default`);
  // What every namespace has comes back.
  await admin.request('PATCH', `${own}/configmaps/kube-root-ca.crt`, { data: { 'ca.crt': 'x', more: 'y' } });
  await eventually(async () => {
    const { data } = await found(plane, `${own}/configmaps/kube-root-ca.crt`);
    return data?.['ca.crt']?.includes('BEGIN') && !data.more ? true : undefined;
  });
  await admin.request('DELETE', `${own}/configmaps/kube-root-ca.crt`);
  await eventually(async () =>
    (await found(plane, `${own}/configmaps/kube-root-ca.crt`)).metadata.uid === metadata.uid ? undefined : true,
  );
  // Tokens of accounts.
  const annotations = { 'platform.io/service-account.name': 'default' };
  const type = 'platform.io/service-account-token';
  await admin.request('POST', `${own}/secrets`, { metadata: { name: 'token', annotations }, type });
  await eventually(async () => ((await found(plane, `${own}/secrets/token`)).data?.token ? true : undefined));
  await admin.request('PATCH', `${own}/serviceaccounts/default`, { secrets: [{ name: 'token' }] });
  await admin.request('DELETE', `${own}/secrets/token`);
  await eventually(async () =>
    'secrets' in (await found(plane, `${own}/serviceaccounts/default`)) ? undefined : true,
  );
  await admin.request('POST', `${own}/secrets`, {
    metadata: { name: 'other', annotations: { ...annotations, 'platform.io/service-account.uid': 'x' } },
    type,
  });
  await gone(plane, `${own}/secrets/other`);
  // Tokens of machines.
  const token = (id: string, more: object) =>
    admin.request('POST', `${system}/secrets`, {
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.platform.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more },
    });
  await token('aaaaaa', {});
  await token('bbbbbb', { expiration: '2001-01-01T00:00:00Z' });
  await gone(plane, `${system}/secrets/bootstrap-token-bbbbbb`);
  const info = '/api/v1/namespaces/platform-public/configmaps';
  await admin.request('POST', info, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'a' } });
  await eventually(async () =>
    (await found(plane, `${info}/cluster-info`)).data?.['jws-kubeconfig-aaaaaa'] ? true : undefined,
  );
  // Aggregated roles, with rights that the loop itself does not hold.
  const roles = '/apis/rbac.authorization.platform.io/v1/clusterroles';
  const rules = [{ verbs: ['frob'], apiGroups: ['example.com'], resources: ['things'] }];
  const matchLabels = { part: 'of-it' };
  await admin.request('POST', roles, {
    metadata: { name: 'sum' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
    rules: [],
  });
  await admin.request('POST', roles, { metadata: { name: 'part', labels: matchLabels }, rules });
  await eventually(async () => {
    const sum = (await found(plane, `${roles}/sum`)) as object as { rules?: object[] };
    return sum.rules?.length === 1 ? true : undefined;
  });
  // Claims, volumes, quotas.
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await admin.request('POST', `${own}/persistentvolumeclaims`, { metadata: { name: 'claim' }, spec });
  await admin.request('DELETE', `${own}/persistentvolumeclaims/claim`);
  await gone(plane, `${own}/persistentvolumeclaims/claim`);
  const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
  await admin.request('POST', '/api/v1/persistentvolumes', { metadata: { name: 'volume' }, spec: volume });
  await admin.request('DELETE', '/api/v1/persistentvolumes/volume');
  await gone(plane, '/api/v1/persistentvolumes/volume');
  await admin.request('POST', `${own}/resourcequotas`, { metadata: { name: 'quota' }, spec: { hard: { pods: '5' } } });
  await eventually(async () => {
    const { status } = await found(plane, `${own}/resourcequotas/quota`);
    return (status as { hard?: object }).hard ? true : undefined;
  });
  // And the end of it all.
  await admin.request('DELETE', '/api/v1/namespaces/busy');
  await gone(plane, '/api/v1/namespaces/busy');
}

/** What was answered to control loops so far. */
async function answersToLoops(file: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = (await linesIn(file)).map((line) => JSON.parse(line));
  return events.filter(
    ({ stage, user }) =>
      stage === 'ResponseComplete' &&
      /^system:(serviceaccount:platform-system:|kube-controller-manager$)/.test(user?.username ?? ''),
  );
}

describe('control loops', () => {
  it('are all in the documentation', async () => {
    const text = await readFile(new URL('../docs/control-loops.md', import.meta.url), 'utf8');
    const names = [...LOOPS.map(({ name }) => name), ...SERVER_LOOPS];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('come in by the front door, each as its own account, and are allowed all they do', async () => {
    const path = await directory();
    const auditLogPath = join(path, 'audit.log');
    const auditPolicyFile = await policyFile(path, [{ level: 'Metadata' }]);
    const plane = await serve({ enableBootstrapTokenAuth: true, auditPolicyFile, auditLogPath });
    await exercise(plane);
    const answers = await answersToLoops(auditLogPath);
    const refused = answers.filter(({ responseStatus }) => responseStatus?.code === 403);
    expect(refused.map(({ user, verb, requestURI }) => `${user?.username} ${verb} ${requestURI}`)).toEqual([]);
    for (const { userAgent, user } of answers) {
      expect(userAgent).toBe(`kube-controller-manager/${VERSION} ${user?.username}`);
    }
    const { metadata } = await found(plane, '/api/v1/namespaces/default/configmaps/kube-root-ca.crt');
    expect(metadata).toMatchObject({ managedFields: [{ manager: 'kube-controller-manager', operation: 'Update' }] });
    const accounts = new Set(answers.map(({ user }) => user?.username?.split(':').at(-1)));
    expect([...accounts].sort()).toEqual([
      'bootstrap-signer',
      'clusterrole-aggregation-controller',
      'kube-controller-manager',
      'namespace-controller',
      'pv-protection-controller',
      'pvc-protection-controller',
      'root-ca-cert-publisher',
      'service-account-controller',
      'token-cleaner',
    ]);
  });

  it.each([['AlwaysDeny'], ['AlwaysAllow'], ['ABAC']])('work where %s decides', async (mode) => {
    const path = await directory();
    const file = join(path, 'policies');
    await writeFile(file, '');
    const policy = mode === 'ABAC' ? { authorizationPolicyFile: file } : {};
    await exercise(await serve({ authorizationMode: [mode], enableBootstrapTokenAuth: true, ...policy }));
  });
});
