import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Identity, TestAuthority } from './support/certificates.ts';
import { asNobody, type Client, http1Client, http2Client } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

const root = new TestAuthority('root');
const middle = new TestAuthority('middle', root);
const runtime = new ShiftableRuntime();

let directory: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  const clientCaFile = join(directory, 'users.crt');
  await writeFile(clientCaFile, new TestAuthority('first').pem + root.pem);
  plane = await startTestServer({ clientCaFile, runtime });
  await letGroupAsk(plane.admin, 'system:authenticated');
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

function client(identity: Identity, open = http1Client): Client {
  const opened = open({ ...asNobody(plane.connection), ...identity });
  onTestFinished(() => opened.close());
  return opened;
}

/** As sent by a client that brings along the authorities that the server does not know. */
const accompanied = (identity: Identity, ...authorities: TestAuthority[]): Identity => ({
  ...identity,
  clientCertificate: [identity.clientCertificate, ...authorities.map(({ pem }) => pem)].join(''),
});

describe('a client certificate', () => {
  it.each([http1Client, http2Client])('is accepted through authorities that come with it', async (open) => {
    const carol = middle.client({ commonName: 'carol', organizations: ['dev', 'ops'] });
    expect(await whoami(client(accompanied(carol, middle), open))).toEqual({
      username: 'carol',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect(await whoami(client(carol, open))).toBe(401);
  });

  it('for another purpose, or of an authority, or of nobody is refused', async () => {
    expect(await whoami(client(root.client({ commonName: 'x' }, { usages: ['server auth'] })))).toBe(401);
    expect(
      await whoami(
        client(
          root.client(
            { commonName: 'x' },
            { authority: true, usages: ['digital signature', 'cert sign', 'client auth'] },
          ),
        ),
      ),
    ).toBe(401);
    expect(await whoami(client(root.client({ commonName: '' })))).toBe(401);
  });

  it('ends in the middle of a connection', async () => {
    const short = root.client({ commonName: 'short' }, { notAfter: runtime.now() + 60_000 });
    const sent = client(short, http2Client);
    expect(await whoami(sent)).toMatchObject({ username: 'short' });
    runtime.advance(61_000);
    expect(await whoami(sent)).toBe(401);
    expect(await whoami(client(short))).toBe(401);
  });
});

/** One request over a connection of its own, which may resume an earlier one. */
function ask(identity: Identity, session: Buffer | undefined, version: 'TLSv1.2' | 'TLSv1.3') {
  const { hostname, port } = new URL(plane.connection.server);
  const { clientCertificate: cert, clientKey: key } = identity;
  const { ca } = plane.connection;
  return new Promise<{ status: string; resumed: boolean; session: Buffer | undefined }>((resolve, reject) => {
    let ticket: Buffer | undefined;
    let text = '';
    let resumed = false;
    const socket: TLSSocket = connect(
      {
        host: hostname,
        port: Number(port),
        cert,
        key,
        maxVersion: version,
        ...(ca ? { ca } : {}),
        ...(session ? { session } : {}),
      },
      () => {
        resumed = socket.isSessionReused();
        socket.write('GET /api/v1/secrets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      },
    );
    socket.on('session', (given: Buffer) => {
      ticket = given;
    });
    socket.on('data', (part: Buffer) => {
      text += part.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [, status = ''] = text.split(' ');
      resolve({ status, resumed, session: ticket });
    });
  });
}

describe('a resumed session', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('of %s still knows the user', async (version) => {
    const carol = accompanied(middle.client({ commonName: 'carol' }), middle);
    const first = await ask(carol, undefined, version);
    expect(first).toMatchObject({ status: '403', resumed: false });
    expect(await ask(carol, first.session, version)).toMatchObject({ status: '403', resumed: true });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('of %s whose certificate was refused is refused again', async (version) => {
    const forged = new TestAuthority('root').client({ commonName: 'carol' });
    const first = await ask(forged, undefined, version);
    expect(first.status).toBe('401');
    expect((await ask(forged, first.session, version)).status).toBe('401');
  });
});
