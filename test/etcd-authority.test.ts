import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { http1Client } from './support/client.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const AUTHENTICATION = vocabularies.platform.groups.authentication;

describe.runIf(havePeer('etcd', '--version'))('servers over one etcd', () => {
  let etcd: Etcd;
  let prefixes = 0;

  beforeAll(async () => {
    etcd = await Etcd.start();
  });

  afterAll(() => etcd?.close());

  const freshPrefix = () => `/plane-${prefixes++}`;

  async function start(etcdPrefix: string, dataDir: string, etcdSharedKeyFile?: string): Promise<TestServer> {
    const key = etcdSharedKeyFile === undefined ? {} : { etcdSharedKeyFile };
    const plane = await startTestServer({ store: 'etcd', etcdServers: etcd.endpoints, etcdPrefix, dataDir, ...key });
    onTestFinished(() => plane.close());
    return plane;
  }

  async function keyFile(text: string): Promise<string> {
    const file = join(await temporaryDirectory(), 'shared.key');
    await writeFile(file, `${text}\n`);
    return file;
  }

  const pem = (directory: string, name: string) => readFile(join(directory, 'pki', name), 'utf8');

  it('have one authority through etcd, sealed with the key they share, also when they start together', async () => {
    const [prefix, key] = [freshPrefix(), await keyFile('a secret of some length')];
    const directories = await Promise.all([temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]);
    const [a, b] = await Promise.all(directories.slice(0, 2).map((directory) => start(prefix, directory, key)));
    const c = await start(prefix, directories[2] ?? '', key);
    for (const name of ['ca.crt', 'ca.key', 'sa.key', 'sa.pub']) {
      const texts = await Promise.all(directories.map((directory) => pem(directory, name)));
      expect(new Set(texts).size).toBe(1);
    }
    // The administrator of one is that of the others, and what one signs the others accept.
    if (!a || !b) throw new Error('not all servers were started');
    const visitor = http1Client({ ...a.connection, server: b.connection.server });
    onTestFinished(() => visitor.close());
    expect((await visitor.request('GET', '/api/v1/namespaces/default')).status).toBe(200);
    const path = '/api/v1/namespaces/default/serviceaccounts';
    await a.admin.request('POST', path, { metadata: { name: 'visitor' } });
    const { body } = await a.admin.request('POST', `${path}/visitor/token`, { spec: {} });
    const { token } = body.status as { token: string };
    const review = { spec: { token } };
    const reviewed = await c.admin.request('POST', `/apis/${AUTHENTICATION}/v1/tokenreviews`, review);
    expect(reviewed.body).toMatchObject({ status: { authenticated: true } });
    const stored = await (
      await fetch(`${etcd.endpoints[0]}/v3/kv/range`, {
        method: 'POST',
        body: JSON.stringify({ key: btoa(`${prefix}/.store/authority`) }),
      })
    ).json();
    const [{ value = '' } = {}] = (stored as { kvs?: { value?: string }[] }).kvs ?? [];
    expect(atob(value)).toContain('sealed');
    expect(atob(value)).not.toContain('PRIVATE KEY');
  });

  it('refuse one that has another key, or another authority, or none, in one line', async () => {
    const [prefix, key] = [freshPrefix(), await keyFile('a secret of some length')];
    const first = await temporaryDirectory();
    await start(prefix, first, key);
    const other = start(prefix, await temporaryDirectory(), await keyFile('another secret, as long'));
    await expect(other).rejects.toThrow(/^the authority in etcd was not sealed with the key in \S+$/);
    await expect(start(prefix, await temporaryDirectory())).rejects.toThrow(
      /does not hold the authority of the servers that share this etcd: start all of them with one --etcd-shared-key-file$/,
    );
    await expect(start(prefix, first, await keyFile('short'))).rejects.toThrow(/holds less than 16 characters$/);
    const strange = await temporaryDirectory();
    const alone = await startTestServer({ dataDir: strange });
    await alone.close();
    await expect(start(prefix, strange, key)).rejects.toThrow(
      /ca\.key: is not that of the servers that share this etcd/,
    );
    await expect(start(prefix, strange)).rejects.toThrow(/is not the authority of the servers that share this etcd/);
  });

  it('that were given copies go on, and can begin to share a key', async () => {
    const prefix = freshPrefix();
    const [a, b, c] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
    await start(prefix, a);
    await cp(join(a, 'pki'), join(b, 'pki'), { recursive: true });
    await start(prefix, b);
    const key = await keyFile('a secret of some length');
    await expect(start(prefix, c, key)).rejects.toThrow(/etcd does not hold the authority of its servers/);
    await start(prefix, a, key);
    await start(prefix, c, key);
    expect(await pem(c, 'ca.crt')).toBe(await pem(a, 'ca.crt'));
  });
});
