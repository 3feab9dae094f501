import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { compact } from '../src/cli/compact.ts';
import { migrateStorage } from '../src/cli/migrate-storage.ts';
import { eventually } from './support/audit.ts';
import { Etcd } from './support/etcd.ts';
import { KmsPluginProcess } from './support/kms-plugin.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const planes: TestServer[] = [];

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

interface Place {
  readonly directory: string;
  readonly file: string;
  readonly dataDir: string;
  readonly plugin: KmsPluginProcess;
}

const configuration = (...providers: readonly object[]): string =>
  JSON.stringify({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.platform.io/v1',
    resources: [{ resources: ['secrets'], providers }],
  });

/** Tests advance the clock by which the plugin has its time to answer: it has plenty. */
const kms = (endpoint: string, changes: object = {}) => ({
  kms: { apiVersion: 'v2', name: 'safe', endpoint, timeout: '30s', ...changes },
});

/** A plugin that runs, and a configuration that names it. */
async function prepare(): Promise<Place> {
  const directory = await temporaryDirectory();
  const plugin = await KmsPluginProcess.start(directory);
  onTestFinished(() => plugin.kill());
  const file = join(directory, 'encryption.yaml');
  await writeFile(file, configuration(kms(plugin.endpoint)));
  return { directory, file, dataDir: join(directory, 'data'), plugin };
}

interface Serving extends TestServer {
  readonly runtime: ShiftableRuntime;
  readonly told: string[];
}

async function serve({ file, dataDir }: Pick<Place, 'file' | 'dataDir'>, options: object = {}): Promise<Serving> {
  const runtime = new ShiftableRuntime();
  const told: string[] = [];
  const note = (_: object, message: string) => void told.push(message);
  const logger = { info: note, warn: note, error: note, informs: true };
  const given = { store: 'lmdb', dataDir, encryptionProviderConfig: file, runtime, logger, ...options } as const;
  const plane = await startTestServer(given);
  planes.push(plane);
  return { ...plane, runtime, told };
}

async function end(plane: Serving): Promise<void> {
  planes.splice(
    planes.findIndex(({ server }) => server === plane.server),
    1,
  );
  await plane.close();
}

const secrets = '/api/v1/namespaces/default/secrets';
const HIDDEN = 'correct-horse-battery-staple';
const data = Buffer.from(HIDDEN).toString('base64');
const secret = (name: string) => ({ metadata: { name }, stringData: { password: HIDDEN } });

/** The bytes of every file below a folder. */
async function bytesBelow(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))));
}

/** What is in the files in base64, as far as it is sealed by the plugin's keys. */
const holds = (bytes: Buffer, text: string): boolean =>
  bytes.includes(text) || bytes.includes(Buffer.from(text).toString('base64'));

/** Lets time pass until something was said: as little at once as leaves the plugin the time to answer. */
const toldOf = ({ runtime, told }: Serving, text: string) =>
  eventually(async () => {
    if (told.includes(text)) return true;
    runtime.advance(5_000);
    for (let looks = 0; looks < 100 && !told.includes(text); looks++) await sleep(10);
    return told.includes(text) || undefined;
  });

describe('objects encrypted by a KMS', () => {
  it('are in no file in the clear, and are read as ever, also by another start', async () => {
    const place = await prepare();
    const first = await serve(place);
    for (const name of ['a', 'b']) expect((await first.admin.request('POST', secrets, secret(name))).status).toBe(201);
    expect((await first.admin.request('PATCH', `${secrets}/a`, { metadata: { labels: { x: 'y' } } })).status).toBe(200);
    expect((await first.admin.request('GET', '/readyz/kms-providers')).status).toBe(200);
    await end(first);
    const bytes = await bytesBelow(place.dataDir);
    expect(holds(bytes, HIDDEN)).toBe(false);
    expect(bytes.includes('platform:enc:kms:v2:safe:')).toBe(true);
    const second = await serve(place);
    expect((await second.admin.request('GET', `${secrets}/a`)).body).toMatchObject({ data: { password: data } });
    await second.admin.request('POST', secrets, secret('c'));
    await end(second);
    // Each start has a data key of its own, and asks for those of others.
    const third = await serve(place);
    const { body } = await third.admin.request('GET', secrets);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['a', 'b', 'c']);
  });

  it('are encrypted under another key once the plugin has one, and a migration leaves nothing under the old', async () => {
    const place = await prepare();
    const plane = await serve(place, { historyRetention: 1_000 });
    for (const name of ['a', 'b']) await plane.admin.request('POST', secrets, secret(name));
    const adminFile = join(place.directory, 'admin.conf');
    await writeFile(adminFile, plane.server.adminConfig);
    const migrated = () => migrateStorage([`--kubeconfig=${adminFile}`, '--resources=secrets']);
    expect(await migrated()).toMatch(/; 0 were stored anew\n$/);
    await place.plugin.useKey('k2');
    plane.told.length = 0;
    await toldOf(plane, 'objects are encrypted with another key of the KMS');
    expect(await migrated()).toMatch(/; [2-9] were stored anew\n$/);
    expect(await migrated()).toMatch(/; 0 were stored anew\n$/);
    await eventually(async () => {
      plane.runtime.advance(5_000);
      const { text } = await plane.admin.request('GET', '/metrics');
      return /apiserver_version_log_history_bytes 0\b/.test(text) || undefined;
    });
    await end(plane);
    await compact([`--data-dir=${place.dataDir}`]);
    // The plugin can do without the old key: nothing needs it.
    await place.plugin.loseKey('k1');
    const { admin } = await serve(place);
    for (const name of ['a', 'b']) {
      expect((await admin.request('GET', `${secrets}/${name}`)).body.data).toEqual({ password: data });
    }
  });

  it('whose key the plugin has lost are named with the provider, and the others are served', async () => {
    const place = await prepare();
    const first = await serve(place);
    await first.admin.request('POST', secrets, secret('a'));
    await first.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await end(first);
    await place.plugin.useKey('k2');
    await place.plugin.loseKey('k1');
    const { admin } = await serve(place);
    const { status, body } = await admin.request('GET', `${secrets}/a`);
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^secrets "a" in namespace "default" cannot be read from the store: the KMS provider "safe" could not be asked to Decrypt: there is no key k1$/,
    );
    const elsewhere = '/api/v1/namespaces/other/secrets';
    expect((await admin.request('POST', elsewhere, secret('b'))).status).toBe(201);
    expect((await admin.request('GET', `${elsewhere}/b`)).status).toBe(200);
  });
});

describe('a plugin', () => {
  it('that is dead at the start leaves its objects unread until it is there, and all others served', async () => {
    const place = await prepare();
    const first = await serve(place);
    await first.admin.request('POST', secrets, secret('a'));
    await end(first);
    await place.plugin.kill();
    const plane = await serve(place);
    const { admin } = plane;
    const { status, body } = await admin.request('GET', `${secrets}/a`);
    expect(status).toBe(500);
    expect(body.message).toContain(
      'secrets "a" in namespace "default" cannot be read from the store: the KMS provider "safe"',
    );
    const refused = await admin.request('POST', '/api/v1/namespaces/platform-public/secrets', secret('b'));
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect((await admin.request('GET', '/api/v1/namespaces/default')).status).toBe(200);
    expect(
      (await admin.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'open' } })).status,
    ).toBe(201);
    for (const endpoint of ['readyz', 'livez']) {
      const health = await admin.request('GET', `/${endpoint}/kms-providers`);
      expect([health.status, health.text]).toEqual([500, expect.stringContaining('the KMS provider "safe"')]);
    }
    await place.plugin.start();
    await toldOf(plane, 'a KMS plugin is well again');
    const back = await eventually(async () => {
      const answer = await admin.request('GET', `${secrets}/a`);
      return answer.status === 200 ? answer : undefined;
    });
    expect(back.body.data).toEqual({ password: data });
    expect((await admin.request('GET', '/readyz/kms-providers')).status).toBe(200);
    expect((await admin.request('POST', secrets, secret('b'))).status).toBe(201);
  });

  it('that dies is not needed for what is read, and for a while not for what is written', async () => {
    const place = await prepare();
    const plane = await serve(place);
    await plane.admin.request('POST', secrets, secret('a'));
    await place.plugin.kill();
    await toldOf(plane, 'a KMS plugin is not well');
    expect((await plane.admin.request('GET', `${secrets}/a`)).status).toBe(200);
    expect((await plane.admin.request('GET', '/readyz/kms-providers')).status).toBe(500);
    plane.runtime.advance(200_000);
    const refused = await plane.admin.request('POST', secrets, secret('b'));
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect((await plane.admin.request('GET', `${secrets}/a`)).status).toBe(200);
    await place.plugin.start();
    await toldOf(plane, 'a KMS plugin is well again');
    expect(await plane.admin.request('POST', secrets, secret('b'))).toMatchObject({ status: 201 });
  });

  it('that says it is not well makes the server not ready, and says why', async () => {
    const place = await prepare();
    const plane = await serve(place);
    await place.plugin.say('the vault is sealed');
    await toldOf(plane, 'a KMS plugin is not well');
    const { status, text } = await plane.admin.request('GET', '/readyz/kms-providers');
    expect([status, text]).toEqual([500, expect.stringContaining('the vault is sealed')]);
  });

  it('that never answers holds up the start for no longer than its time', async () => {
    const directory = await temporaryDirectory();
    const socket = join(directory, 'silent.sock');
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(socket, resolve));
    onTestFinished(() => void silent.close());
    const file = join(directory, 'encryption.yaml');
    await writeFile(file, configuration(kms(`unix://${socket}`, { timeout: '100ms' }), { identity: {} }));
    const { admin } = await serve({ file, dataDir: join(directory, 'data') });
    expect((await admin.request('GET', '/livez/kms-providers')).text).toContain(
      'the KMS provider "safe" could not be asked',
    );
  });
});

it('a provider comes and goes with the configuration', async () => {
  const place = await prepare();
  await writeFile(place.file, configuration({ identity: {} }));
  const plane = await serve(place);
  await plane.admin.request('POST', secrets, secret('a'));
  const changed = 'objects are encrypted by another configuration from now on';
  await writeFile(place.file, configuration(kms(place.plugin.endpoint), { identity: {} }));
  await toldOf(plane, changed);
  expect(await plane.admin.request('POST', secrets, secret('b'))).toMatchObject({ status: 201 });
  plane.told.length = 0;
  await writeFile(place.file, configuration({ identity: {} }, kms(place.plugin.endpoint)));
  await toldOf(plane, changed);
  await plane.admin.request('POST', secrets, secret('c'));
  await end(plane);
  const again = await serve(place);
  expect((await again.admin.request('GET', secrets)).body.items).toHaveLength(3);
});

describe.skipIf(!havePeer('etcd', '--version'))('over etcd', () => {
  it('servers read what others have written with data keys of their own', async () => {
    const etcd = await Etcd.start();
    onTestFinished(() => etcd.close());
    const place = await prepare();
    const options = { store: 'etcd', dataDir: undefined, etcdServers: etcd.members.map(({ url }) => url) };
    const [first, second] = [await serve(place, options), await serve(place, options)];
    const watch = await second.watch(`${secrets}?watch=1`);
    onTestFinished(() => watch.close());
    // What is written side by side is delivered in its order, although some of it waits for its key.
    const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const answers = await Promise.all(
      names.map((name, at) => (at % 2 ? first : second).admin.request('POST', secrets, secret(name))),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const seen = await watch.take(names.length);
    const revisions = seen.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect((await first.admin.request('GET', secrets)).body.items).toHaveLength(names.length);
    await Promise.all([end(first), end(second)]);
    expect(holds(await bytesBelow(etcd.directory), HIDDEN)).toBe(false);
  });
});

it.each([
  [{ apiVersion: 'v1' }, 'resources[0].providers[0].kms.apiVersion: v2 is wanted'],
  [{ name: 'a:b' }, 'kms.name: letters, digits'],
  [{ endpoint: 'http://127.0.0.1' }, 'kms.endpoint: unix:///PATH is wanted'],
  [{ endpoint: `unix:///${'x'.repeat(200)}` }, 'kms.endpoint: a path of at most 107 bytes is wanted'],
  [{ timeout: '1h' }, 'kms.timeout: a duration of at most 30s is wanted'],
  [{ cachesize: 1 }, 'kms.cachesize: unknown field'],
])('a configuration with %j is refused', async (changes, message) => {
  const file = join(await temporaryDirectory(), 'encryption.yaml');
  await writeFile(file, configuration(kms('unix:///nowhere', changes)));
  await expect(startTestServer({ encryptionProviderConfig: file })).rejects.toThrow(message);
});
