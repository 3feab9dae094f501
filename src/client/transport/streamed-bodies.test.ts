import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from '../../../test/support/certificates.ts';
import { Http2StandIn, NOBODY } from '../../../test/support/plane-stand-in.ts';
import { StandIn } from '../../../test/support/stand-in.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { HttpTransport } from '../http-transport.ts';

const authority = new TestAuthority('planes');
const LARGE = 'a line of some length\n'.repeat(100_000);
let http1: StandIn;
let http2: Http2StandIn;
let transport: HttpTransport;

beforeAll(async () => {
  http1 = await StandIn.open(authority);
  http1.answer = (request, response) => {
    if (request.url === '/silence') return;
    request.pipe(response);
  };
  http2 = await Http2StandIn.open();
  http2.onStream = (stream, path) => {
    if (path === '/silence') return;
    stream.respond({ ':status': 200 });
    stream.pipe(stream);
  };
});

afterEach(() => transport.close());

afterAll(async () => {
  await http1.close();
  await http2.close();
});

const silences = (): number =>
  [...http1.received.map(({ url }) => url), ...http2.paths].filter((path) => path === '/silence').length;

const overHttp1 = (): HttpTransport => {
  const server = `https://127.0.0.1:${http1.port}`;
  return new HttpTransport({ server, ca: authority.pem, insecureSkipTlsVerify: false }, systemRuntime, 'test');
};

describe.each([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', () => http2.transport()],
])('over %s', (_version, open) => {
  const inPieces = (): Readable =>
    Readable.from(LARGE.match(/[\s\S]{1,10000}/g)?.map((part) => Buffer.from(part)) ?? []);

  it('a body is sent, and an answer read, as it comes', async () => {
    transport = open();
    const { status, body } = await transport.openAs(NOBODY)({
      method: 'POST',
      target: '/',
      body: inPieces(),
      isLong: true,
    });
    expect(status).toBe(200);
    expect((await text(body)) === LARGE).toBe(true);
  });

  it('a body that breaks off breaks off the request', async () => {
    transport = open();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('begun');
        throw new Error('the disk is gone');
      })(),
    );
    const answer = transport.openAs(NOBODY)({ method: 'POST', target: '/', body: broken, isLong: true });
    await expect(answer.then(({ body }) => text(body))).rejects.toThrow();
  });

  it('a request ends when whoever sent it says so, and the next one is answered', async () => {
    transport = open();
    const cancellation = new AbortController();
    const silence = { method: 'GET', target: '/silence', signal: cancellation.signal } as const;
    const before = silences();
    const cancelled = transport
      .sendAs(NOBODY)(silence)
      .catch((error: Error) => error);
    const seen = (): boolean => silences() > before;
    await expect.poll(seen).toBe(true);
    cancellation.abort(new Error('enough'));
    expect(await cancelled).toMatchObject({ message: 'enough' });
    expect((await transport.sendAs(NOBODY)({ method: 'GET', target: '/' })).status).toBe(200);
  });

  it('an answer that nobody reads to its end is let go of', async () => {
    transport = open();
    const { body } = await transport.openAs(NOBODY)({ method: 'POST', target: '/', body: inPieces(), isLong: true });
    body.destroy();
    expect((await transport.sendAs(NOBODY)({ method: 'GET', target: '/' })).status).toBe(200);
  });
});
