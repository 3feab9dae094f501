import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { asNobody, http1Client } from './support/client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const planes: TestServer[] = [];

async function serve(options: object): Promise<TestServer> {
  const plane = await startTestServer(options);
  planes.push(plane);
  return plane;
}

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

describe('every answer', () => {
  it('tells browsers to stay with TLS, where it is told to', async () => {
    const { admin } = await serve({ strictTransportSecurityDirectives: ['max-age=31536000', 'includeSubDomains'] });
    for (const path of ['/livez', '/api/v1/namespaces', '/nowhere']) {
      const { headers } = await admin.request('GET', path);
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    }
    await expect(serve({ strictTransportSecurityDirectives: ['max-age=x\r\nA: b'] })).rejects.toThrow(
      '--strict-transport-security-directives must be',
    );
  });

  it('lets pages of known origins read it, and of no others', async () => {
    const { admin } = await serve({ corsAllowedOrigins: ['^https://[a-z]+\\.example$'] });
    const from = (origin: string, method: 'GET' | 'OPTIONS' = 'GET') =>
      admin.request(method, '/api/v1/namespaces', undefined, { origin });
    const known = await from('https://console.example');
    expect(known.headers).toMatchObject({
      'access-control-allow-origin': 'https://console.example',
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
    expect((await from('https://console.example', 'OPTIONS')).status).toBe(204);
    for (const origin of [
      'https://evil.test',
      'https://console.example.evil.test',
      `https://${'a'.repeat(600)}.example`,
    ]) {
      expect((await from(origin)).headers).not.toHaveProperty('access-control-allow-origin');
    }
    await expect(serve({ corsAllowedOrigins: ['('] })).rejects.toThrow('"(" is not a regular expression');
  });
});

describe('a connection', () => {
  it('shows the certificate of the name that a client asks for', async () => {
    const directory = await temporaryDirectory();
    const authority = new TestAuthority('sni');
    const { cert, key } = authority.server();
    const [certFile, keyFile] = [join(directory, 'sni.crt'), join(directory, 'sni.key')];
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
    const {
      server: { port },
    } = await serve({ tlsSniCertKey: [`${certFile},${keyFile}:other.example,*.wild.example`] });
    const issuerFor = async (servername: string): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { issuer } = socket.getPeerCertificate();
      socket.destroy();
      return String(issuer.CN);
    };
    const own = await issuerFor('localhost');
    const named = await issuerFor('other.example');
    expect(named).not.toBe(own);
    expect(await issuerFor('a.wild.example')).toBe(named);
    expect(await issuerFor('a.b.wild.example')).toBe(own);
    expect(await issuerFor('example')).toBe(own);
  });

  it('is told to begin anew by chance, and still gets its answer', async () => {
    const {
      server: { url },
    } = await serve({ goawayChance: 0.02, runtime: undefined });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    session.on('error', () => {});
    let isTold = false;
    session.once('goaway', () => {
      isTold = true;
    });
    let answered = 0;
    // The chance that none of so many is told is below one in a billion.
    for (let count = 0; count < 1100 && !session.closed && !session.destroyed; count++) {
      const stream = session.request({ ':path': '/livez' });
      const [headers] = await once(stream, 'response');
      stream.resume();
      await once(stream, 'end');
      expect(headers[':status']).toBe(200);
      answered++;
    }
    session.destroy();
    expect(answered).toBeGreaterThan(0);
    expect(isTold).toBe(true);
  });

  it('takes as many requests at once as it is told to', async () => {
    const {
      server: { url },
    } = await serve({ http2MaxStreamsPerConnection: 7 });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    const [settings] = await once(session, 'remoteSettings');
    expect(settings.maxConcurrentStreams).toBe(7);
    session.destroy();
  });
});

describe('tokens of service accounts', () => {
  const tokens = '/api/v1/namespaces/default/serviceaccounts/default/token';

  it('are no longer good than the flag says, and the client is told', async () => {
    const { admin } = await serve({ serviceAccountMaxTokenExpiration: 3_600_000 });
    const { body, headers } = await admin.request('POST', tokens, { spec: { expirationSeconds: 7200 } });
    expect(body).toMatchObject({ spec: { expirationSeconds: 3600 } });
    expect(headers.warning).toContain('requested expiration of 7200 seconds shortened to 3600 seconds');
  });

  it.each([
    [true, 365 * 86_400],
    [false, 3607],
  ])('outlast what pods ask for where they may (%s)', async (serviceAccountExtendTokenExpiration, lasts) => {
    const { admin } = await serve({ serviceAccountExtendTokenExpiration });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await admin.request('POST', '/api/v1/namespaces/default/pods', pod)).status).toBe(201);
    const spec = { expirationSeconds: 3607, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } };
    const { text } = await admin.request('POST', tokens, { spec });
    const { status } = JSON.parse(text);
    const claims = JSON.parse(Buffer.from(String(status.token).split('.')[1] ?? '', 'base64url').toString());
    expect(claims.exp - claims.iat).toBe(lasts);
    const told = Date.parse(status.expirationTimestamp) / 1000 - claims.iat;
    expect(told).toBe(3607);
    expect('warnafter' in claims['platform.io']).toBe(serviceAccountExtendTokenExpiration);
  });
});

describe('the page of flags', () => {
  it('says what the server was started with, to those who may know', async () => {
    const { admin, connection } = await serve({
      goawayChance: 0.01,
      runtimeConfig: ['api/alpha=true', 'api/beta=false'],
    });
    const { status, text } = await admin.request('GET', '/flagz');
    expect(status).toBe(200);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining(['goaway-chance=0.01', 'runtime-config=api/alpha=true,api/beta=false', 'storage=memory']),
    );
    expect((await admin.request('POST', '/flagz', {})).status).toBe(405);
    const nobody = http1Client(asNobody(connection));
    expect((await nobody.request('GET', '/flagz')).status).toBe(403);
    nobody.close();
  });
});
