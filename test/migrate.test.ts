import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../src/cli/migrate.ts';
import type { Client, Document } from './support/client.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

describe.runIf(havePeer('etcd', '--version'))('migration', () => {
  let etcd: Etcd;
  let directory: string;
  const at = (name: string) => join(directory, name);
  const servers = () => `--etcd-servers=${etcd.endpoints.join(',')}`;

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
  });

  afterAll(async () => {
    await etcd?.close();
    await removeDirectory(directory);
  });

  const onServer = async <T>(options: Parameters<typeof startTestServer>[0], use: (admin: Client) => Promise<T>) => {
    const server = await startTestServer(options);
    return use(server.admin).finally(() => server.close());
  };
  const embedded = (dataDir: string) => ({ store: 'lmdb' as const, dataDir: at(dataDir) });
  const overEtcd = () => ({ store: 'etcd' as const, dataDir: at('first'), etcdServers: etcd.endpoints });

  /** All maps without what a store gives them, and without the one that holds the authority of each server. */
  async function mapsOf(admin: Client): Promise<unknown[]> {
    const { body } = await admin.request('GET', MAPS);
    const maps = body.items.filter(({ metadata }: Document) => metadata.name !== 'kube-root-ca.crt');
    return maps.map(({ metadata: { resourceVersion, ...metadata }, data }: Document) => ({ metadata, data }));
  }

  it('takes all objects to etcd, and back with what was written there', async () => {
    const before = await onServer(embedded('first'), async (admin) => {
      const texts = { quoted: '"resourceVersion":"1"', 10: 'ten', 9: 'nine', u: 'ü\u2028' };
      for (let i = 0; i < 30; i++) await admin.request('POST', MAPS, { metadata: { name: `map-${i}` }, data: texts });
      await admin.request('DELETE', `${MAPS}/map-7`);
      await admin.request('PATCH', `${MAPS}/map-8`, { data: { changed: 'yes' } });
      return mapsOf(admin);
    });
    expect(before.length).toBeGreaterThanOrEqual(29);

    expect(await migrate(['--to=etcd', servers(), `--data-dir=${at('first')}`])).toMatch(
      /^copied \d+ objects to etcd, which is at revision \d+ now(; clients have to list again[^\n]*)?\n$/,
    );
    const [inEtcd, revision] = await onServer(overEtcd(), async (admin) => {
      expect(await mapsOf(admin)).toEqual(before);
      const { body } = await admin.request('POST', MAPS, { metadata: { name: 'of-etcd' } });
      return [await mapsOf(admin), Number(body.metadata.resourceVersion)] as const;
    });

    expect(await migrate(['--to=lmdb', servers(), `--data-dir=${at('second')}`])).toMatch(/^copied \d+ objects to /);
    await onServer(embedded('second'), async (admin) => {
      expect(await mapsOf(admin)).toEqual(inEtcd);
      const { body } = await admin.request('POST', MAPS, { metadata: { name: 'again' } });
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(revision);
    });
  });

  it('decrypts and encrypts anew what is encrypted, and copies none of it without the configuration', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    const hidden = 'correct-horse-battery-staple';
    const file = at('encryption.yaml');
    const keyNamed = (name: string) => ({ name, secret: randomBytes(32).toString('base64') });
    const [old, next] = [keyNamed('old'), keyNamed('next')];
    const configure = (...keys: readonly object[]) => {
      const resources = [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }, { identity: {} }] }];
      const apiVersion = 'apiserver.config.platform.io/v1';
      return writeFile(file, JSON.stringify({ kind: 'EncryptionConfiguration', apiVersion, resources }));
    };
    const sealed = { encryptionProviderConfig: file };
    const prefix = '--etcd-prefix=/sealed';
    const passwordIn = async (admin: Client) => (await admin.request('GET', `${secrets}/s`)).body.data;
    await configure(old);
    await onServer({ ...embedded('sealed'), ...sealed }, async (admin) => {
      const made = await admin.request('POST', secrets, { metadata: { name: 's' }, stringData: { password: hidden } });
      expect(made.status).toBe(201);
    });
    const out = ['--to=etcd', servers(), prefix, `--data-dir=${at('sealed')}`];
    const back = ['--to=lmdb', servers(), prefix, `--data-dir=${at('back')}`];
    const given = `--encryption-provider-config=${file}`;
    await expect(migrate(out)).rejects.toThrow(/^\/secrets\/\S+ is encrypted: --encryption-provider-config is needed$/);
    await configure(next);
    await expect(migrate([...out, given])).rejects.toThrow(
      /^\/secrets\/\S+ cannot be decrypted: the configuration has no aesgcm key named "old"$/,
    );
    await configure(next, old);
    expect(await migrate([...out, given])).toMatch(/^copied \d+ objects to etcd/);
    await configure(next);
    const data = { password: Buffer.from(hidden).toString('base64') };
    await onServer({ ...overEtcd(), ...sealed, etcdPrefix: '/sealed' }, async (admin) => {
      expect(await passwordIn(admin)).toEqual(data);
    });
    await expect(migrate(back)).rejects.toThrow('--encryption-provider-config is needed');
    expect(await migrate([...back, given])).toMatch(/^copied \d+ objects to /);
    const stored = await readFile(join(at('back'), 'store', 'data.mdb'));
    expect(['aesgcm:v1:next:', hidden, data.password].map((text) => stored.includes(text))).toEqual([
      true,
      false,
      false,
    ]);
    await onServer({ ...embedded('back'), ...sealed }, async (admin) => {
      expect(await passwordIn(admin)).toEqual(data);
    });
  });

  it('is refused in one clear line where it would mix things up', async () => {
    const refusals: [string[], RegExp][] = [
      [['--to=etcd', servers(), `--data-dir=${at('first')}`], /^etcd holds objects below \/registry already/],
      [['--to=lmdb', servers(), `--data-dir=${at('first')}`], /first\/store is not empty: move it away first$/],
      [['--to=lmdb', servers(), '--vocabulary=kubernetes'], /written in the vocabulary platform/],
      [['--to=memory', servers()], /^migrate needs --to=etcd or --to=lmdb/],
      [['--to=etcd', `--data-dir=${at('first')}`], /^--storage=etcd needs --etcd-servers$/],
    ];
    for (const [args, message] of refusals) {
      const told = await migrate(args).catch((error: Error) => error.message);
      expect(told).toMatch(message);
      expect(told).not.toMatch(/\n/);
    }
  });

  it('is refused while a server uses the store', async () => {
    await onServer(embedded('second'), async () => {
      const told = migrate(['--to=etcd', servers(), '--etcd-prefix=/other', `--data-dir=${at('second')}`]);
      await expect(told).rejects.toThrow(/second\/store is in use by process \d+$/);
    });
  });
});
