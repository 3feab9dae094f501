import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { NetworkAddress } from '../src/outbound/network.ts';
import { TestAuthority } from './support/certificates.ts';
import { logOf } from './support/log-of.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer } from './support/test-server.ts';
import { rule, WebhookPlane } from './support/webhook-plane.ts';
import { type Asked, allowing, answering, type Behaviour, refusing, WebhookServer } from './support/webhook-server.ts';

/** Where the stand-ins for places in the cluster are. */
const moved = new Map<string, NetworkAddress>();

let ground: WebhookPlane;
beforeAll(async () => {
  ground = await WebhookPlane.start({ network: { locate: (place) => moved.get(place.host) ?? place } });
});
afterAll(() => ground.close());

const review = (response: object, apiVersion = 'admission.platform.io/v1') =>
  JSON.stringify({ apiVersion, kind: 'AdmissionReview', response });

const saying =
  (text: (request: Asked) => string): Behaviour =>
  ({ request }, response) => {
    response.setHeader('content-type', 'application/json').end(text(request));
  };

const agreed = ({ uid }: Asked): object => ({ uid, allowed: true });

const OUT_OF_TIME = /context deadline exceeded/;

/** What webhooks can do wrong, and what the client is then told. */
const FAULTS: Readonly<Record<string, readonly [Behaviour, RegExp]>> = {
  'takes longer than it may': [() => {}, OUT_OF_TIME],
  'begins an answer and never ends it': [(_call, response) => void response.write('{'), OUT_OF_TIME],
  'answers another question': [saying(() => review({ uid: 'other', allowed: true })), /expected response.uid=/],
  'answers in another version': [
    saying((request) => review(agreed(request), 'admission.platform.io/v1beta1')),
    /expected webhook response of admission.platform.io\/v1, Kind=AdmissionReview/,
  ],
  'answers with something else': [saying(() => '{"hello":"world"}'), /webhook response was absent/],
  'answers with garbage': [saying(() => '<html>'), /the answer is not JSON/],
  'answers with a wrong type': [saying(({ uid }) => review({ uid, allowed: 'maybe' })), /allowed/],
  'answers at great length': [saying((request) => review(agreed(request)) + ' '.repeat(9 << 20)), /too large/],
  'breaks the connection': [(_call, response) => void response.destroy(), /socket hang up|ECONNRESET/],
  'sends the server elsewhere': [
    (_call, response) => void response.writeHead(307, { location: `${ground.hooks.url}/elsewhere` }).end(),
    /answered 307/,
  ],
  'has an error': [(_call, response) => void response.writeHead(500).end('{}'), /answered 500/],
  'wants a patch of no type': [saying(({ uid }) => review({ uid, allowed: true, patch: 'W10=' })), /response.patch/],
  'wants a patch of an unknown type': [
    saying(({ uid }) => review({ uid, allowed: true, patch: 'W10=', patchType: 'Merge' })),
    /response.patch/,
  ],
};

describe.each(['validating', 'mutating'] as const)('a %s webhook that', (sort) => {
  it.concurrent.each(Object.entries(FAULTS))(
    '%s is dealt with as its failure policy says',
    async (_name, [fault, why]) => {
      const namespace = await ground.namespace();
      // Those that never answer cost all the time they have; the others must not run out of it on a busy machine.
      const timeoutSeconds = why === OUT_OF_TIME ? 1 : 20;
      const at = (policy: string) => `/${ground.fresh(policy.toLowerCase())}`;
      const [failing, ignored] = [at('Fail'), at('Ignore')];
      for (const path of [failing, ignored]) ground.hooks.at(path, fault);
      const webhook = (path: string, failurePolicy: string) =>
        ground.webhook(path, namespace, {
          failurePolicy,
          timeoutSeconds,
          objectSelector: { matchLabels: { policy: failurePolicy } },
        });
      const configuration = await ground.configured(sort, [webhook(failing, 'Fail'), webhook(ignored, 'Ignore')]);
      const began = performance.now();
      const [failed, failedDry, passed, passedDry] = await Promise.all([
        ground.createConfigMap(namespace, { labels: { policy: 'Fail' } }),
        ground.createConfigMap(namespace, { labels: { policy: 'Fail' } }, '?dryRun=All'),
        ground.createConfigMap(namespace, { labels: { policy: 'Ignore' } }),
        ground.createConfigMap(namespace, { labels: { policy: 'Ignore' } }, '?dryRun=All'),
      ]);
      expect(performance.now() - began).toBeLessThan(18_000);
      await ground.done('DELETE', configuration);
      for (const { status, body } of [failed, failedDry]) {
        expect(body).toMatchObject({ kind: 'Status', reason: 'InternalError', code: 500, details: { causes: [{}] } });
        expect(status).toBe(500);
        expect(body.message).toContain(`failed calling webhook "${failing.slice(1)}.example.com": `);
        expect(body.message).toMatch(why);
      }
      expect([passed.status, passedDry.status]).toEqual([201, 201]);
      expect(ground.hooks.callsTo('/elsewhere')).toEqual([]);
    },
  );
});

describe('a webhook server', () => {
  it.each(['Fail', 'Ignore'])('that is down costs no more than its timeout (%s)', async (failurePolicy) => {
    const namespace = await ground.namespace();
    const closed = await WebhookServer.open(ground.authority);
    const url = closed.url;
    await closed.close();
    const clientConfig = { url, caBundle: ground.caBundle };
    await ground.configure('validating', [ground.webhook('/down', namespace, { clientConfig, failurePolicy })]);
    const began = performance.now();
    const { status } = await ground.createConfigMap(namespace);
    expect(status).toBe(failurePolicy === 'Fail' ? 500 : 201);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('that is down, or says no to everything, does not keep the server from starting', async () => {
    const dataDir = await temporaryDirectory();
    const path = '/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations';
    const clientConfig = { url: 'https://127.0.0.1:1/', caBundle: ground.caBundle };
    const everything = { ...rule(['*/*'], ['*'], ['*']), namespaceSelector: {}, clientConfig };
    const role = '/apis/rbac.authorization.platform.io/v1/clusterroles/view';
    const before = await startTestServer({ store: 'lmdb', dataDir });
    const deleted = await before.admin.request('DELETE', role);
    const webhooks = [ground.webhook('/no', '', everything)];
    const configured = await before.admin.request('POST', path, { metadata: { name: 'all' }, webhooks });
    await before.close();
    expect([deleted.status, configured.status]).toEqual([200, 201]);
    const after = await startTestServer({ store: 'lmdb', dataDir });
    onTestFinished(() => after.close());
    expect((await after.admin.request('GET', role)).status).toBe(200);
    const refused = await after.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    expect(refused.status).toBe(500);
  });

  it('that no known authority vouches for is not asked', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('stranger')}`;
    const stranger = Buffer.from(new TestAuthority('stranger').pem).toString('base64');
    const clientConfig = { url: `${ground.hooks.url}${path}`, caBundle: stranger };
    await ground.configure('validating', [ground.webhook(path, namespace, { clientConfig })]);
    const { status, body } = await ground.createConfigMap(namespace);
    expect([status, body.reason]).toEqual([500, 'InternalError']);
    expect(body.message).toMatch(/certificate|signature/);
    expect(ground.hooks.callsTo(path)).toEqual([]);
  });

  it('is asked over few connections, and again when it closed one that was kept', async () => {
    const hooks = await WebhookServer.open(ground.authority);
    onTestFinished(() => hooks.close());
    const namespace = await ground.namespace();
    const clientConfig = { url: `${hooks.url}/kept`, caBundle: ground.caBundle };
    await ground.configure('validating', [ground.webhook('/kept', namespace, { clientConfig })]);
    for (let at = 0; at < 5; at++) expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect(hooks.connections).toBe(1);
    let calls = 0;
    hooks.at('/kept', (call, response) => {
      if (calls++ === 0) hooks.disconnect();
      else return allowing(call, response);
    });
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect([calls, hooks.connections]).toEqual([2, 2]);
  });
});

describe('a dry run', () => {
  it('is refused when a webhook that was configured in former times may do more than answer', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('effects')}`;
    const at = await ground.configure('validating', [ground.webhook(path, namespace, { failurePolicy: 'Ignore' })]);
    await rewriteStored(at, '"sideEffects":"None"', '"sideEffects":"Some"');
    const { status, body } = await ground.createConfigMap(namespace, {}, '?dryRun=All');
    expect([status, body.reason, body.message]).toEqual([
      400,
      'BadRequest',
      `admission webhook "${path.slice(1)}.example.com" does not support dry run`,
    ]);
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect(ground.hooks.only(path).dryRun).toBe(false);
  });
});

/** Changes stored bytes as no request could. */
async function rewriteStored(path: string, from: string, to: string): Promise<void> {
  const log = logOf(ground.plane.server);
  const key = `/${path.split('/').slice(-2).join('/')}`;
  const stored = log.get(key);
  if (!stored) throw new Error(`there is no ${key}`);
  const revision = `"resourceVersion":"`;
  const text = stored.bytes.toString().replace(from, to);
  const [head = '', rest = ''] = text.split(revision);
  const value = { head: head + revision, tail: rest.slice(rest.indexOf('"')) };
  await log.commit({ key, expected: stored.revision, value });
}

describe('a configuration counts from the moment it is written', () => {
  it('when it is made, changed and deleted', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('moment')}`;
    ground.hooks.at(path, refusing);
    const at = await ground.configure('validating', [ground.webhook(path, namespace)]);
    const create = async () => (await ground.createConfigMap(namespace)).status;
    const outcomes = [await create()];
    await ground.done('PATCH', at, { webhooks: [] });
    outcomes.push(await create());
    await ground.done('PATCH', at, { webhooks: [ground.webhook(path, namespace)] });
    outcomes.push(await create());
    await ground.done('DELETE', at);
    outcomes.push(await create());
    expect(outcomes).toEqual([400, 201, 400, 201]);
  });
});

describe('a webhook behind a service', () => {
  /** A service with a webhook server of its own, which is not yet behind it. */
  async function service() {
    const namespace = await ground.namespace();
    const name = ground.fresh('hook');
    const hooks = await WebhookServer.open(ground.authority, [`${name}.${namespace}.svc`]);
    onTestFinished(() => hooks.close());
    await ground.done('POST', `/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: {
        ports: [
          { name: 'other', port: 80 },
          { name: 'hooks', port: 443, targetPort: 9443 },
        ],
      },
    });
    const clientConfig = { service: { namespace, name, path: '/here/it/is' }, caBundle: ground.caBundle };
    await ground.configure('validating', [ground.webhook('/service', namespace, { clientConfig })]);
    return { namespace, name, hooks };
  }

  const PORTS = [{ name: 'hooks', port: 9443 }];
  let hosts = 0;
  /** An address in the cluster at which a webhook server is. */
  function addressOf(hooks: WebhookServer): string {
    const address = `10.9.8.${++hosts}`;
    moved.set(address, { host: '127.0.0.1', port: hooks.port });
    return address;
  }

  it('is found through its endpoints, and known by the name of the service', async () => {
    const { namespace, name, hooks } = await service();
    const subsets = [{ addresses: [{ ip: addressOf(hooks) }], notReadyAddresses: [{ ip: '10.0.0.1' }], ports: PORTS }];
    await ground.done('POST', `/api/v1/namespaces/${namespace}/endpoints`, { metadata: { name }, subsets });
    for (let at = 0; at < 3; at++) expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect(hooks.calls.map(({ path }) => path)).toEqual(Array(3).fill('/here/it/is'));
    expect(hooks.calls[0]?.headers.host).toBe(`${name}.${namespace}.svc`);
  });

  it('is found through slices of its endpoints, of which only the ready ones count', async () => {
    const { namespace, name, hooks } = await service();
    await ground.done('POST', `/apis/discovery.platform.io/v1/namespaces/${namespace}/endpointslices`, {
      metadata: { name: `${name}-1`, labels: { 'platform.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: { ready: false } },
        { addresses: [addressOf(hooks)], conditions: { ready: true } },
      ],
      ports: PORTS,
    });
    for (let at = 0; at < 5; at++) expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect(hooks.calls).toHaveLength(5);
  });

  it('is found by its name by whoever stands in for the cluster', async () => {
    const { namespace, name, hooks } = await service();
    moved.set(`${name}.${namespace}.svc`, { host: '127.0.0.1', port: hooks.port });
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
    expect(hooks.calls).toHaveLength(1);
  });

  it('cannot be asked while nothing is there, nor by another name', async () => {
    const { namespace, name } = await service();
    const without = await ground.createConfigMap(namespace);
    expect([without.status, without.body.message]).toEqual([500, expect.stringContaining('no endpoints available')]);
    moved.set(`${name}.${namespace}.svc`, { host: '127.0.0.1', port: ground.hooks.port });
    const other = await ground.createConfigMap(namespace);
    expect([other.status, other.body.message]).toEqual([500, expect.stringContaining("does not match certificate's")]);
  });
});

describe('credentials', () => {
  it('are shown to the webhooks they are for', async () => {
    const directory = await temporaryDirectory();
    const { clientCertificate, clientKey } = ground.authority.client({ commonName: 'the-server' });
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const users = [
      {
        name: `127.0.0.1:${ground.hooks.port}`,
        user: { 'client-certificate-data': base64(clientCertificate), 'client-key-data': base64(clientKey) },
      },
      { name: '*', user: { token: 'for everyone' } },
    ];
    const kubeConfigFile = join(directory, 'credentials.json');
    await writeFile(kubeConfigFile, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }));
    const configuration = {
      apiVersion: 'apiserver.config.platform.io/v1',
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile,
    };
    const admissionControlConfigFile = join(directory, 'admission.json');
    await writeFile(
      admissionControlConfigFile,
      JSON.stringify({
        apiVersion: 'apiserver.config.platform.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: [{ name: 'ValidatingAdmissionWebhook', configuration }],
      }),
    );
    const others = await WebhookServer.open(ground.authority);
    const plane = await startTestServer({ admissionControlConfigFile });
    onTestFinished(async () => {
      await plane.close();
      await others.close();
    });
    const clientConfig = { url: `${others.url}/other`, caBundle: ground.caBundle };
    await plane.admin.request('POST', '/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'both' },
      webhooks: [ground.webhook('/known', 'default'), ground.webhook('/other', 'default', { clientConfig })],
    });
    const { status } = await plane.admin.request('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'a' },
    });
    expect(status).toBe(201);
    const known = ground.hooks.calls.find(({ path }) => path === '/known');
    expect([known?.client, known?.headers.authorization]).toEqual(['the-server', undefined]);
    expect([others.calls[0]?.client, others.calls[0]?.headers.authorization]).toEqual(['', 'Bearer for everyone']);
  });

  it('that cannot be read keep the server from starting', async () => {
    const file = join(await temporaryDirectory(), 'admission.json');
    const configuration = { apiVersion: 'apiserver.config.platform.io/v1', kind: 'WebhookAdmissionConfiguration' };
    const plugins = [{ name: 'MutatingAdmissionWebhook', configuration: { ...configuration, kubeConfigFile: 'x' } }];
    const document = { apiVersion: 'apiserver.config.platform.io/v1', kind: 'AdmissionConfiguration', plugins };
    await writeFile(file, JSON.stringify(document));
    await expect(startTestServer({ admissionControlConfigFile: file })).rejects.toThrow(
      'the admission plugin MutatingAdmissionWebhook cannot be made: kubeConfigFile',
    );
  });
});

describe('what webhooks do is counted', () => {
  it('by webhook, phase, operation and outcome', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('counted')}`;
    const name = `${path.slice(1)}.example.com`;
    const at = await ground.configure('validating', [ground.webhook(path, namespace)]);
    await ground.createConfigMap(namespace);
    ground.hooks.at(path, answering({ allowed: false, status: { code: 1000 } }));
    await ground.createConfigMap(namespace);
    ground.hooks.at(
      path,
      saying(() => '{}'),
    );
    await ground.createConfigMap(namespace);
    await ground.done('PATCH', at, { webhooks: [ground.webhook(path, namespace, { failurePolicy: 'Ignore' })] });
    await ground.createConfigMap(namespace);
    const { text } = await ground.done('GET', '/metrics');
    const lines = text.split('\n').filter((line) => line.includes(name) && !line.includes('_seconds'));
    const place = `name="${name}",type="validating"`;
    const counted = (metric: string, labels: string) => `apiserver_admission_webhook_${metric}{${place}${labels}} 1`;
    expect(lines.sort()).toEqual(
      [
        counted('fail_open_count', ''),
        counted('rejection_count', ',operation="CREATE",error_type="calling_webhook_error",rejection_code="0"'),
        counted('rejection_count', ',operation="CREATE",error_type="no_error",rejection_code="600"'),
        counted('request_total', ',operation="CREATE",code="0",rejected="false"'),
        counted('request_total', ',operation="CREATE",code="0",rejected="true"'),
        counted('request_total', ',operation="CREATE",code="200",rejected="false"'),
        counted('request_total', ',operation="CREATE",code="600",rejected="true"'),
      ].sort(),
    );
    expect(text).toContain(
      `apiserver_admission_webhook_admission_duration_seconds_count{${place},operation="CREATE",rejected="true"} 2`,
    );
  });
});
