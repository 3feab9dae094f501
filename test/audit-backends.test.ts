import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { eventually, linesIn, policyFile, type RecordedEvent } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { type Received, RemoteService } from './support/remote-service.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const authority = new TestAuthority('audit');
const MAPS = '/api/v1/namespaces/default/configmaps';

let directory: string;
let service: RemoteService;
let webhook: string;
let policy: string;

beforeAll(async () => {
  directory = await makeDirectory();
  service = await RemoteService.open(authority);
  webhook = join(directory, 'webhook.conf');
  await writeFile(webhook, configuration(service.url));
  policy = await policyFile(directory, [{ level: 'Metadata', resources: [{ group: '' }] }], {
    omitStages: ['RequestReceived'],
  });
});

afterAll(async () => {
  await service.close();
  await removeDirectory(directory);
});

beforeEach(() => {
  service.received.length = 0;
  service.answer = () => ({ body: {} });
});

const configuration = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': btoa(authority.pem) } }],
    users: [{ name: 'u', user: { token: 'audit-secret' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

/** Without loops, so that nothing is recorded but what a test sends. */
async function start(options: StartOptions): Promise<TestServer> {
  const plane = await startTestServer({ auditPolicyFile: policy, controllers: ['-*'], ...options });
  onTestFinished(() => plane.close());
  return plane;
}

const eventsIn = ({ body }: Received): RecordedEvent[] => JSON.parse(body).items;
const metric = async ({ admin }: TestServer, line: RegExp): Promise<number> =>
  Number(line.exec((await admin.request('GET', '/metrics')).text)?.[1] ?? 0);

describe('a service that is sent events', () => {
  it('gets them as lists, many at once, from someone it knows', async () => {
    const plane = await start({ auditWebhookConfigFile: webhook, auditWebhookBatchMaxWait: 50 });
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await plane.admin.request('GET', MAPS)).headers['audit-id']),
    );
    await eventually(() => (service.received.flatMap(eventsIn).length === 20 ? true : undefined));
    const [first] = service.received;
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      kind: 'EventList',
      apiVersion: 'audit.platform.io/v1',
      metadata: {},
    });
    expect(first).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer audit-secret' } });
    expect(service.received.length).toBeLessThan(20);
    expect(
      service.received
        .flatMap(eventsIn)
        .map(({ auditID }) => auditID)
        .sort(),
    ).toEqual(ids.sort());
  });

  it('gets them again when it could not take them, and at the latest when the server ends', async () => {
    let failures = 2;
    service.answer = () => ({ status: failures-- > 0 ? 503 : 200, body: {} });
    const plane = await startTestServer({
      auditPolicyFile: policy,
      auditWebhookConfigFile: webhook,
      auditWebhookInitialBackoff: 10,
      controllers: ['-*'],
    });
    await plane.admin.request('GET', MAPS);
    expect(service.received).toHaveLength(0);
    await plane.close();
    expect(service.received).toHaveLength(3);
    expect(new Set(service.received.map(({ body }) => body)).size).toBe(1);
  });

  it('and is slow holds nobody up, and what does not fit the buffer is counted', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.answer = () => held.then(() => ({ body: {} }));
    const plane = await start({
      auditWebhookConfigFile: webhook,
      auditWebhookBatchMaxSize: 1,
      auditWebhookBatchBufferSize: 5,
      auditWebhookBatchThrottleEnable: false,
    });
    for (let count = 0; count < 30; count++) {
      const began = performance.now();
      expect((await plane.admin.request('GET', MAPS)).status).toBe(200);
      // One that waited for the service would take longer.
      expect(performance.now() - began).toBeLessThan(9_000);
    }
    expect(await metric(plane, /^apiserver_audit_error_total\{plugin="buffered"\} (\d+)$/m)).toBe(30 - 8 - 5);
    release();
  });

  it('and is down loses events, which is counted and told once', async () => {
    const gone = await RemoteService.open(authority);
    const nowhere = join(directory, 'nowhere.conf');
    await writeFile(nowhere, configuration(gone.url));
    await gone.close();
    const told: string[] = [];
    const logger = { info() {}, warn() {}, error: (_: object, text: string) => void told.push(text) };
    const plane = await start({
      logger,
      auditWebhookConfigFile: nowhere,
      auditWebhookBatchMaxSize: 1,
      auditWebhookInitialBackoff: 1,
    });
    for (let count = 0; count < 3; count++) expect((await plane.admin.request('GET', MAPS)).status).toBe(200);
    const lost = /^apiserver_audit_error_total\{plugin="webhook"\} (\d+)$/m;
    await eventually(async () => ((await metric(plane, lost)) === 3 ? true : undefined));
    expect(told).toEqual(['audit events are being lost']);
  });

  it('is waited for where requests have to', async () => {
    const plane = await start({ auditWebhookConfigFile: webhook, auditWebhookMode: 'blocking' });
    const { headers } = await plane.admin.request('GET', MAPS);
    expect(service.received.flatMap(eventsIn).map(({ auditID }) => auditID)).toEqual([headers['audit-id']]);
  });
});

describe('a disk that is full', () => {
  async function full(auditLogMode: 'blocking' | 'blocking-strict' | 'batch'): Promise<TestServer> {
    const auditLogPath = join(directory, `full-${auditLogMode}.log`);
    await symlink('/dev/full', auditLogPath);
    const auditPolicyFile = join(directory, 'all.json');
    await writeFile(
      auditPolicyFile,
      JSON.stringify({
        apiVersion: 'audit.platform.io/v1',
        kind: 'Policy',
        rules: [{ level: 'Metadata', resources: [{ group: '' }] }],
      }),
    );
    return start({ auditPolicyFile, auditLogPath, auditLogMode });
  }

  it.each(['blocking', 'batch'] as const)('lets requests pass in mode %s, and is counted', async (mode) => {
    const plane = await full(mode);
    expect((await plane.admin.request('GET', MAPS)).status).toBe(200);
    const lost = /^apiserver_audit_error_total\{plugin="log"\} (\d+)$/m;
    await eventually(async () => ((await metric(plane, lost)) === 2 ? true : undefined));
  });

  it('lets none pass where that is wanted', async () => {
    const plane = await full('blocking-strict');
    const { status, body } = await plane.admin.request('POST', MAPS, { metadata: { name: 'never' } });
    expect([status, body.message]).toEqual([500, 'Internal error occurred: failed to store audit event']);
    expect(await metric(plane, /^apiserver_audit_requests_rejected_total (\d+)$/m)).toBe(1);
    expect(plane.server.objects.has({ group: '', plural: 'configmaps' }, 'default', 'never')).toBe(false);
  });
});

it('a log can be written in words, bodies are left out of what is too large', async () => {
  const auditPolicyFile = join(directory, 'bodies.json');
  const rules = [{ level: 'RequestResponse', resources: [{ group: '' }] }];
  await writeFile(auditPolicyFile, JSON.stringify({ apiVersion: 'audit.platform.io/v1', kind: 'Policy', rules }));
  const words = join(directory, 'words.log');
  const plane = await start({ auditPolicyFile, auditLogPath: words, auditLogFormat: 'legacy' });
  await plane.admin.request('GET', MAPS);
  expect((await linesIn(words)).at(-1)).toMatch(/ AUDIT: id=".*" stage="ResponseComplete" .* response="200"$/);

  const short = join(directory, 'short.log');
  const other = await start({ auditPolicyFile, auditLogPath: short, auditLogTruncateEnabled: true });
  const data = { filler: 'x'.repeat(200_000) };
  await other.admin.request('POST', MAPS, { metadata: { name: 'large' }, data });
  const event: RecordedEvent = JSON.parse((await linesIn(short)).at(-1) ?? '');
  expect(event.annotations?.['audit.platform.io/truncated']).toBe('true');
  expect([event.requestObject, event.responseObject]).toEqual([undefined, undefined]);
});

describe('a server does not start', () => {
  it.each([
    [
      'a policy that is not there',
      { auditPolicyFile: '/nowhere/policy.yaml' },
      /^\/nowhere\/policy.yaml: cannot be read/,
    ],
    ['a log that cannot be written', { auditLogPath: '/dev/null/audit.log' }, /^--audit-log-path: .*cannot be written/],
    ['a service that cannot be told', { auditWebhookConfigFile: '/nowhere/webhook' }, /^\/nowhere\/webhook: /],
    ['a version that is none', { auditLogPath: '-', auditLogVersion: 'v2' }, /^--audit-log-version must be audit/],
  ])('with %s', async (_, options, problem) => {
    await expect(startTestServer({ auditPolicyFile: policy, ...options })).rejects.toThrow(problem);
  });

  it('with a policy that is wrong, and says all that is in one line', async () => {
    const auditPolicyFile = join(directory, 'wrong.yaml');
    await writeFile(auditPolicyFile, 'apiVersion: audit.platform.io/v1\nkind: Policy\nrules:\n- level: Some\n- {}\n');
    const problem = await startTestServer({ auditPolicyFile, auditLogPath: '-' }).catch(({ message }) => message);
    expect(problem).toBe(
      `${auditPolicyFile}: rules[0].level: Unsupported value: "Some": supported values: "Metadata", "None", "Request", ` +
        '"RequestResponse"; rules[1].level: Required value',
    );
  });
});
