import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TestAuthority } from '../../test/support/certificates.ts';
import { StandIn } from '../../test/support/stand-in.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { HttpTransport } from './http-transport.ts';
import type { ClientCertificate, Identity } from './identity.ts';

const authority = new TestAuthority('plane');
let plane: StandIn;
let transport: HttpTransport | undefined;

beforeAll(async () => {
  plane = await StandIn.open(authority);
});

afterEach(() => transport?.close());
afterAll(() => plane.close());

function certificateOf(commonName: string): ClientCertificate {
  const { clientCertificate: certificate, clientKey: key } = authority.client({ commonName });
  return { certificate, key };
}

class ChangingIdentity implements Identity {
  shown: ClientCertificate | undefined;

  async headers() {
    return {};
  }

  async certificate() {
    return this.shown;
  }

  refused(): void {}
}

function openTransport(): HttpTransport {
  const server = `https://127.0.0.1:${plane.port}`;
  transport = new HttpTransport({ server, ca: authority.pem, insecureSkipTlsVerify: false }, systemRuntime, 'test');
  return transport;
}

it('connections show the certificate of the identity, and another one as soon as it has another one', async () => {
  const identity = new ChangingIdentity();
  const send = openTransport().sendAs(identity);
  plane.answer = (_request, response) => response.end('{}');
  const seen: string[] = [];
  for (const name of ['', 'first', 'first', 'second', '']) {
    if (name !== seen.at(-1)) identity.shown = name === '' ? undefined : certificateOf(name);
    await send({ method: 'GET', target: '/' });
    seen.push(plane.client);
  }
  expect(seen).toEqual(['', 'first', 'first', 'second', '']);
});

it('connections of a former certificate finish what they have, and close', async () => {
  const identity = new ChangingIdentity();
  const send = openTransport().sendAs(identity);
  identity.shown = certificateOf('first');
  const held: ServerResponse[] = [];
  plane.answer = (_request, response) => held.push(response);
  const slow = send({ method: 'GET', target: '/slow' });
  await expect.poll(() => held.length).toBe(1);
  const socket = held[0]?.socket;
  identity.shown = certificateOf('second');
  plane.answer = (_request, response) => response.end('{}');
  await send({ method: 'GET', target: '/' });
  expect(socket?.destroyed).toBe(false);
  held[0]?.end('"late"');
  expect(String((await slow).body)).toBe('"late"');
  await expect.poll(() => socket?.destroyed).toBe(true);
});

it('identities with one certificate share connections', async () => {
  const [one, other] = [new ChangingIdentity(), new ChangingIdentity()];
  one.shown = certificateOf('shared');
  other.shown = one.shown;
  const ports = new Set<number | undefined>();
  plane.answer = ({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end('{}');
  };
  const shared = openTransport();
  for (const identity of [one, other, one]) await shared.sendAs(identity)({ method: 'GET', target: '/' });
  expect(ports.size).toBe(1);
});
