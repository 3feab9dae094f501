import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import { systemRuntime } from '../../runtime/runtime.ts';
import { Http2Connection } from './http2-connection.ts';
import type { Ending } from './http2-stream.ts';
import { decodeHuffman } from './huffman.ts';

type Answer = (stream: ServerHttp2Stream, path: string) => void;

/** A server of Node's own, and our connection to it. */
async function connectTo(answer: Answer, settings: Parameters<typeof createServer>[0] = {}) {
  const server: Http2Server = createServer(settings);
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, String(headers[':path']));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const connection = await Http2Connection.connect(`http://127.0.0.1:${address.port}`, {}, systemRuntime);
  onTestFinished(() => {
    connection.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { connection, sessions };
}

interface Received {
  readonly ending: Ending;
  readonly fields: Record<string, string>;
  readonly body: string;
}

/** Sends one request and collects all that comes back. */
function call(connection: Http2Connection, path: string, body = ''): Promise<Received> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    const chunks: Buffer[] = [];
    const stream = connection.open(path, {
      onHeaders: (more) => void Object.assign(fields, Object.fromEntries(more)),
      onData: (chunk) => void chunks.push(Buffer.from(chunk)),
      onEnd: (ending) => resolve({ ending, fields, body: Buffer.concat(chunks).toString() }),
    });
    if (stream === undefined) return reject(new Error('the connection takes no streams'));
    connection.send(stream, Buffer.from(body), true);
  });
}

const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)).join('');

/** Answers with the length of what was sent, and trailers. */
const measure: Answer = (stream) => {
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-text': `a${printable}z` }));
    stream.end(String(length));
  });
};

it('decodes what it is coded into by another implementation, and refuses what is no code', async () => {
  const { connection } = await connectTo(measure);
  const { fields, ending, body } = await call(connection, '/first', 'four');
  expect({ ending, body }).toEqual({ ending: 'complete', body: '4' });
  expect(fields).toMatchObject({ ':status': '200', 'content-type': 'text/plain', 'x-text': `a${printable}z` });
  expect(() => decodeHuffman(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toThrow(/not coded|within a character/);
});

it('sends headers again as numbers of what the peer has kept', async () => {
  const paths: string[] = [];
  const { connection } = await connectTo((stream, path) => {
    paths.push(path);
    measure(stream, path);
  });
  const sent = ['/a', '/b', '/a', '/c', '/b', '/a'];
  for (const path of sent) expect((await call(connection, path)).fields[':status']).toBe('200');
  expect(paths).toEqual(sent);
});

it('sends as much as the peer takes, of many streams at once, and all of it in the end', async () => {
  const { connection } = await connectTo(measure);
  const bodies = [2_000_000, 10, 300_000, 0, 70_000].map((length) => 'x'.repeat(length));
  const answers = await Promise.all(bodies.map((body) => call(connection, '/upload', body)));
  expect(answers.map(({ body }) => Number(body))).toEqual(bodies.map(({ length }) => length));
});

it('receives more than any window, and headers in several frames', async () => {
  const long = 'y'.repeat(40_000);
  const { connection } = await connectTo(
    (stream) => {
      stream.resume();
      stream.respond({ ':status': 200, 'x-long': long });
      stream.end('z'.repeat(20_000_000));
    },
    { maxSendHeaderBlockLength: 65_000 },
  );
  const { fields, body } = await call(connection, '/download');
  expect(fields['x-long']).toBe(long);
  expect(body.length).toBe(20_000_000);
});

it('has no more streams at a time than the peer wants', async () => {
  let open = 0;
  let most = 0;
  const { connection } = await connectTo(
    (stream, path) => {
      most = Math.max(most, ++open);
      stream.on('close', () => open--);
      measure(stream, path);
    },
    { settings: { maxConcurrentStreams: 3 } },
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => call(connection, `/${i % 4}`, 'x')));
  expect(answers.map(({ ending }) => ending)).toEqual(answers.map(() => 'complete'));
  expect(most).toBeLessThanOrEqual(3);
});

it('tells streams that the peer never looked at from those that broke', async () => {
  const { connection, sessions } = await connectTo((stream, path) => {
    if (path === '/goaway') sessions[0]?.goaway(0, stream.id);
    else if (path === '/refuse') stream.close(7);
    else if (path === '/break') sessions[0]?.destroy();
  });
  expect((await call(connection, '/refuse')).ending).toBe('unseen');
  const held = call(connection, '/goaway');
  await expect.poll(() => connection.usable).toBe(false);
  await expect(call(connection, '/late')).rejects.toThrow('takes no streams');
  sessions[0]?.destroy();
  expect((await held).ending).toBe('broken');
});

it('does not take for sent what was still to be written when the connection ended', async () => {
  const { connection } = await connectTo(measure);
  const ended = call(connection, '/unsent');
  connection.close();
  expect((await ended).ending).toBe('unseen');
});
