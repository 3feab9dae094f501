import { X509Certificate } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from './support/audit.ts';
import { type Identity, TestAuthority } from './support/certificates.ts';
import { asNobody, type Client, http1Client } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

const [before, after, proxies] = [new TestAuthority('a'), new TestAuthority('b'), new TestAuthority('p')];
const runtime = new ShiftableRuntime();
const told: string[] = [];
const logger = { info() {}, warn() {}, error: (_: object, text: string) => void told.push(text) };

let directory: string;
let plane: TestServer;
const path = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = await makeDirectory();
  const serving = before.server();
  await Promise.all([
    writeFile(path('users.crt'), before.pem),
    writeFile(path('proxies.crt'), proxies.pem),
    writeFile(path('tls.crt'), serving.cert + before.pem),
    writeFile(path('tls.key'), serving.key),
  ]);
  plane = await startTestServer({
    runtime,
    logger,
    clientCaFile: path('users.crt'),
    requestheaderClientCaFile: path('proxies.crt'),
    requestheaderUsernameHeaders: ['x-remote-user'],
    tlsCertFile: path('tls.crt'),
    tlsPrivateKeyFile: path('tls.key'),
  });
  await letGroupAsk(plane.admin, 'system:authenticated');
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

/** As tools do it that replace mounted files: all at once. */
async function replace(name: string, content: string): Promise<void> {
  await writeFile(path(`${name}.new`), content);
  await rename(path(`${name}.new`), path(name));
}

/** Lets so much time pass that the files have been looked at. */
async function look(): Promise<void> {
  runtime.advance(5_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  runtime.advance(5_000);
}

function client(identity: Identity): Client {
  const opened = http1Client({ ...asNobody(plane.connection), ca: `${before.pem}${after.pem}`, ...identity });
  onTestFinished(() => opened.close());
  return opened;
}

function handshake(options: ConnectionOptions = {}): Promise<{ issuer: string; cipher: string; protocol: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(plane.connection.server);
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, ...options }, () => {
      const certificate = socket.getPeerX509Certificate();
      resolve({
        issuer: certificate?.issuer ?? '',
        cipher: socket.getCipher().name,
        protocol: socket.getProtocol() ?? '',
      });
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('a file that is replaced while the server runs', () => {
  it('with other authorities makes others known, and the former ones unknown on connections that are open', async () => {
    const old = client(before.client({ commonName: 'old' }));
    const fresh = client(after.client({ commonName: 'new' }));
    expect([await whoami(old), await whoami(fresh)]).toMatchObject([{ username: 'old' }, 401]);
    await replace('users.crt', after.pem);
    await eventually(async () => {
      await look();
      return (await whoami(old)) === 401 ? true : undefined;
    });
    expect(await whoami(fresh)).toMatchObject({ username: 'new' });
    const another = client(after.client({ commonName: 'other' }));
    expect(await whoami(another)).toMatchObject({ username: 'other' });
  });

  it('with another authority for proxies changes who is one', async () => {
    const headers = { 'x-remote-user': 'carol' };
    const former = client(proxies.client({ commonName: 'proxy' }));
    expect(await whoami(former, headers)).toMatchObject({ username: 'carol' });
    await replace('proxies.crt', new TestAuthority('q').pem);
    await eventually(async () => {
      await look();
      return (await whoami(former, headers)) === 401 ? true : undefined;
    });
  });

  it('with a serving certificate is shown to new connections, once its key is there too', async () => {
    const next = after.server();
    expect((await handshake()).issuer).toBe(new X509Certificate(before.pem).subject);
    await replace('tls.crt', next.cert);
    await look();
    expect((await handshake()).issuer).toBe(new X509Certificate(before.pem).subject);
    await replace('tls.key', next.key);
    await eventually(async () => {
      await look();
      return (await handshake()).issuer === new X509Certificate(after.pem).subject ? true : undefined;
    });
  });

  it('with nonsense is told of, and changes nothing', async () => {
    const user = client(after.client({ commonName: 'user' }));
    expect(await whoami(user)).toMatchObject({ username: 'user' });
    told.length = 0;
    await replace('users.crt', 'nonsense');
    await eventually(async () => {
      await look();
      return told.includes('changed certificates cannot be used; the former ones stay') ? true : undefined;
    });
    expect(await whoami(user)).toMatchObject({ username: 'user' });
  });
});

describe('connections', () => {
  it('are private as TLS 1.2 makes them, or better', async () => {
    await expect(
      handshake({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }),
    ).rejects.toThrow();
    expect((await handshake({ maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2');
  });

  it('can be asked to be better still, and to use certain suites', async () => {
    const former = plane;
    onTestFinished(() => {
      plane = former;
    });
    plane = await startTestServer({ tlsMinVersion: 'VersionTLS13' });
    onTestFinished(plane.close);
    await expect(handshake({ maxVersion: 'TLSv1.2' })).rejects.toThrow();
    expect((await handshake()).protocol).toBe('TLSv1.3');

    plane = await startTestServer({ tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] });
    onTestFinished(plane.close);
    expect((await handshake({ maxVersion: 'TLSv1.2' })).cipher).toBe('ECDHE-ECDSA-AES256-GCM-SHA384');
    await expect(handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).rejects.toThrow();
    expect((await handshake()).protocol).toBe('TLSv1.3');
    await expect(startTestServer({ tlsCipherSuites: ['TLS_NULL'] })).rejects.toThrow(/there is no TLS_NULL/);
  });
});
