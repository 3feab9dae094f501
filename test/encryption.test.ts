import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { compact } from '../src/cli/compact.ts';
import { migrateStorage } from '../src/cli/migrate-storage.ts';
import { snapshot } from '../src/cli/snapshot.ts';
import { eventually } from './support/audit.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const planes: TestServer[] = [];

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

async function serve(options: object): Promise<TestServer> {
  const plane = await startTestServer({ store: 'lmdb', ...options });
  planes.push(plane);
  return plane;
}

async function end(plane: TestServer): Promise<void> {
  planes.splice(planes.indexOf(plane), 1);
  await plane.close();
}

const keyNamed = (name: string) => ({ name, secret: randomBytes(32).toString('base64') });

const configuration = (resources: readonly string[], ...providers: readonly object[]): string =>
  JSON.stringify({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.platform.io/v1',
    resources: [{ resources, providers }],
  });

const secrets = '/api/v1/namespaces/default/secrets';
const HIDDEN = 'correct-horse-battery-staple';
const secret = (name: string, text = HIDDEN) => ({
  metadata: { name, annotations: { note: text } },
  stringData: { password: text },
});
const data = Buffer.from(HIDDEN).toString('base64');

/** Every file below a folder that holds one of the texts. */
async function filesWith(folder: string, ...texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (texts.some((text) => bytes.includes(text))) found.push(entry.name);
  }
  return found;
}

describe.each(['aesgcm', 'aescbc', 'secretbox'])('objects encrypted by %s', (provider) => {
  it('are in no file in the clear, before and after they are changed and deleted, and are read as ever', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'encryption.yaml');
    const dataDir = join(directory, 'data');
    await writeFile(file, configuration(['secrets'], { [provider]: { keys: [keyNamed('k1')] } }, { identity: {} }));
    const options = { dataDir, encryptionProviderConfig: file };
    const first = await serve(options);
    for (const name of ['a', 'b']) expect((await first.admin.request('POST', secrets, secret(name))).status).toBe(201);
    const patch = { metadata: { labels: { seen: HIDDEN } } };
    expect((await first.admin.request('PATCH', `${secrets}/a`, patch)).status).toBe(200);
    expect((await first.admin.request('DELETE', `${secrets}/b`)).status).toBe(200);
    const config = { metadata: { name: 'open' }, data: { a: 'readable-by-all' } };
    await first.admin.request('POST', '/api/v1/namespaces/default/configmaps', config);
    await end(first);
    expect(await filesWith(dataDir, HIDDEN, data)).toEqual([]);
    expect(await filesWith(dataDir, 'readable-by-all')).toContain('data.mdb');
    const { admin } = await serve(options);
    const { body } = await admin.request('GET', `${secrets}/a`);
    expect(body).toMatchObject({ metadata: { labels: { seen: HIDDEN } }, data: { password: data } });
    const list = await admin.request('GET', '/api/v1/secrets?labelSelector=seen');
    expect(list.body.items).toHaveLength(1);
  });
});

describe('a key', () => {
  it('is replaced while the server runs, and nothing is left under the old one after a migration', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'encryption.yaml');
    const dataDir = join(directory, 'data');
    const [old, next] = [keyNamed('old'), keyNamed('new')];
    await writeFile(file, configuration(['secrets'], { aesgcm: { keys: [old] } }, { identity: {} }));
    const runtime = new ShiftableRuntime();
    const told: string[] = [];
    const logger = {
      warn() {},
      error: (_: object, text: string) => void told.push(text),
      info: (_: object, text: string) => void told.push(text),
      informs: true,
    };
    const toldOf = (text: string) =>
      eventually(() => {
        runtime.advance(5_000);
        return told.includes(text) || undefined;
      });
    const plane = await serve({ dataDir, encryptionProviderConfig: file, runtime, logger, historyRetention: 1_000 });
    for (const name of ['a', 'b', 'c']) await plane.admin.request('POST', secrets, secret(name));
    // What makes no sense changes nothing.
    await writeFile(file, 'kind: Nothing');
    await toldOf('the encryption configuration cannot be used; the former one stays');
    expect((await plane.admin.request('POST', secrets, secret('d'))).status).toBe(201);
    await writeFile(file, configuration(['secrets'], { aesgcm: { keys: [next, old] } }, { identity: {} }));
    await toldOf('objects are encrypted by another configuration from now on');
    const adminFile = join(directory, 'admin.conf');
    await writeFile(adminFile, plane.server.adminConfig);
    const state = join(directory, 'progress');
    const report = await migrateStorage([`--kubeconfig=${adminFile}`, `--state=${state}`]);
    // The four, and the tokens and the like that the server keeps itself.
    expect(report).toMatch(/; ([4-9]|\d\d) were stored anew\n$/);
    expect(await migrateStorage([`--kubeconfig=${adminFile}`])).toMatch(/; 0 were stored anew\n$/);
    expect(JSON.parse(await readFile(state, 'utf8')).finished.length).toBeGreaterThan(30);
    expect(await filesWith(dataDir, 'aesgcm:v1:new:')).toEqual(['data.mdb']);
    // History is forgotten in its time, and the space that it leaves is swept by a compaction.
    const stored = () => plane.admin.request('GET', '/metrics').then(({ text }) => text);
    await eventually(async () => {
      runtime.advance(5_000);
      return /apiserver_version_log_history_bytes 0\b/.test(await stored()) || undefined;
    });
    await end(plane);
    await compact([`--data-dir=${dataDir}`]);
    expect(await filesWith(dataDir, 'aesgcm:v1:old:')).toEqual([]);
    await writeFile(file, configuration(['secrets'], { aesgcm: { keys: [next] } }));
    const { admin } = await serve({ dataDir, encryptionProviderConfig: file });
    const { body } = await admin.request('GET', secrets);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('that is lost is told by the name of the object, and the others are served', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'encryption.yaml');
    const dataDir = join(directory, 'data');
    const [lost, kept] = [keyNamed('lost'), keyNamed('kept')];
    const providers = (...keys: readonly object[]) =>
      configuration(['secrets'], { aesgcm: { keys } }, { identity: {} });
    const options = { dataDir, encryptionProviderConfig: file };
    await writeFile(file, providers(lost));
    const first = await serve(options);
    // One whose name begins with that of the other is loaded before it.
    for (const name of ['ab', 'a']) await first.admin.request('POST', secrets, secret(name));
    await end(first);
    await writeFile(file, providers(kept, lost));
    const second = await serve(options);
    await second.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await second.admin.request('POST', '/api/v1/namespaces/other/secrets', secret('b'));
    await end(second);
    await writeFile(file, providers(kept));
    const { admin } = await serve(options);
    const message =
      'secrets "a" in namespace "default" cannot be read from the store: the configuration has no aesgcm key named "lost"';
    for (const [method, path, document] of [
      ['GET', `${secrets}/a`, undefined],
      ['GET', secrets, undefined],
      ['GET', '/api/v1/secrets', undefined],
      ['PATCH', `${secrets}/a`, { metadata: { labels: { x: 'y' } } }],
      ['PUT', `${secrets}/a`, secret('a')],
      ['POST', secrets, secret('a')],
      ['DELETE', `${secrets}/a`, undefined],
    ] as const) {
      const { status, body } = await admin.request(method, path, document);
      // A list names one of them.
      const told = path.endsWith('secrets') && method === 'GET' ? message.replace('"a"', '"ab"') : message;
      expect({ method, status, message: body.message }).toEqual({ method, status: 500, message: told });
    }
    expect((await admin.request('GET', '/api/v1/namespaces/other/secrets/b')).body.data).toEqual({ password: data });
    expect((await admin.request('GET', '/api/v1/namespaces/other/secrets')).status).toBe(200);
    expect((await admin.request('GET', '/api/v1/namespaces')).status).toBe(200);
  });
});

describe.skipIf(!havePeer('etcd', '--version'))('over etcd', () => {
  it('no file of it holds what is encrypted, and servers read what others have written', async () => {
    const etcd = await Etcd.start();
    onTestFinished(() => etcd.close());
    const file = join(await temporaryDirectory(), 'encryption.yaml');
    await writeFile(file, configuration(['secrets'], { secretbox: { keys: [keyNamed('k1')] } }, { identity: {} }));
    const options = { store: 'etcd', etcdServers: etcd.members.map(({ url }) => url), encryptionProviderConfig: file };
    const [first, second] = [await serve(options), await serve(options)];
    const watch = await second.watch(`${secrets}?watch=1`);
    onTestFinished(() => watch.close());
    expect((await first.admin.request('POST', secrets, secret('a'))).status).toBe(201);
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { data: { password: data } } });
    expect((await second.admin.request('PATCH', `${secrets}/a`, { metadata: { labels: { x: HIDDEN } } })).status).toBe(
      200,
    );
    expect((await first.admin.request('GET', `${secrets}/a`)).body.metadata.labels).toEqual({ x: HIDDEN });
    expect((await first.admin.request('DELETE', `${secrets}/a`)).status).toBe(200);
    await Promise.all([end(first), end(second)]);
    expect(await filesWith(etcd.directory, HIDDEN, data)).toEqual([]);
    expect((await filesWith(etcd.directory, 'secretbox:v1:k1:')).length).toBeGreaterThan(0);
  });
});

it('a snapshot holds what is encrypted as it is stored, and can be restored', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'encryption.yaml');
  await writeFile(file, configuration(['*.*'], { aesgcm: { keys: [keyNamed('k1')] } }));
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  const first = await serve({ dataDir: from, encryptionProviderConfig: file });
  await first.admin.request('POST', secrets, secret('a'));
  await end(first);
  const saved = join(directory, 'saved.snapshot');
  await snapshot(['save', saved, `--data-dir=${from}`]);
  expect((await readFile(saved)).includes(HIDDEN)).toBe(false);
  await snapshot(['restore', saved, `--data-dir=${to}`]);
  const { admin } = await serve({ dataDir: to, encryptionProviderConfig: file });
  expect((await admin.request('GET', `${secrets}/a`)).body.data).toEqual({ password: data });
});

describe('a configuration', () => {
  const good = keyNamed('k');

  it.each([
    ['kind: Pod', 'an EncryptionConfiguration of apiserver.config.platform.io/v1 is wanted'],
    ['{', 'the body is not valid YAML'],
    [configuration([], { identity: {} }), 'resources[0].resources: a list that is not empty is wanted'],
    [configuration(['secrets']), 'resources[0].providers: a list that is not empty is wanted'],
    [
      configuration(['secrets'], { rot13: {} }),
      'resources[0].providers[0]: one of identity, aesgcm, aescbc, secretbox',
    ],
    [
      configuration(['secrets'], { aesgcm: { keys: [{ ...good, secret: 'YQ==' }] } }),
      '16, 24, 32 bytes are wanted, not 1',
    ],
    [
      configuration(['secrets'], { secretbox: { keys: [{ ...good, secret: 'a:b' }] } }),
      'keys[0].secret: base64 is wanted',
    ],
    [configuration(['secrets'], { aesgcm: { keys: [{ ...good, name: 'a:b' }] } }), 'keys[0].name: letters, digits'],
    [configuration(['secrets'], { aesgcm: { keys: [good, good] } }), 'aesgcm:v1:k: is there twice'],
  ])('is refused (%#)', async (text, reason) => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'encryption.yaml');
    await writeFile(file, text);
    const starting = startTestServer({ encryptionProviderConfig: file });
    await expect(starting).rejects.toThrow('--encryption-provider-config');
    await expect(starting).rejects.toThrow(reason);
    await expect(starting).rejects.not.toThrow(good.secret);
  });
});
