import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer } from './support/test-server.ts';

it.runIf(havePeer('etcd', '--version'))(
  'an etcd behind TLS is verified, and is shown the certificate it asks for',
  async () => {
    const directory = await temporaryDirectory();
    const save = async (name: string, pem: string): Promise<string> => {
      const file = join(directory, name);
      await writeFile(file, pem);
      return file;
    };
    const authority = new TestAuthority('etcd');
    const serving = authority.server();
    const client = authority.client({ commonName: 'apiserver' });
    const ca = await save('ca.crt', authority.pem);
    const tls = { ca, cert: await save('etcd.crt', serving.cert), key: await save('etcd.key', serving.key) };
    const etcd = await Etcd.start(1, tls);
    onTestFinished(() => etcd.close());
    const settings = {
      store: 'etcd',
      etcdServers: etcd.endpoints,
      etcdCafile: ca,
      etcdCertfile: await save('client.crt', client.clientCertificate),
      etcdKeyfile: await save('client.key', client.clientKey),
    } as const;
    const plane = await startTestServer(settings);
    onTestFinished(() => plane.close());
    expect((await plane.admin.request('GET', '/readyz')).status).toBe(200);

    const other = await save('other.crt', new TestAuthority('other').pem);
    await expect(startTestServer({ ...settings, etcdCafile: other })).rejects.toThrow(/no member of etcd answers/);
    const { etcdCertfile, etcdKeyfile, ...anonymous } = settings;
    await expect(startTestServer(anonymous)).rejects.toThrow(/no member of etcd answers/);
    await expect(startTestServer({ ...anonymous, etcdCertfile })).rejects.toThrow(/must be given together/);
  },
);
