import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import { settingsFrame } from './frames.ts';
import { GrpcConnection } from './grpc.ts';

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}

it('gives up one call that is not answered in time, and leaves the others and the connection alone', async () => {
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    if (headers[':path'] === '/late') return;
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 2, 1, 2]));
  });
  const runtime = new ShiftableRuntime();
  const connection = await GrpcConnection.connect(await listening(server), {}, runtime);
  onTestFinished(() => connection.close());
  const late = connection.unary('/late', Buffer.from('x'), 500);
  const patient = connection.unary('/late', Buffer.from('x'), 60_000).catch(() => undefined);
  await expect(late).rejects.toMatchObject({ code: 4, from: 'transport' });
  expect(await connection.unary('/prompt', Buffer.from('x'), 5_000)).toEqual(Buffer.from([1, 2]));
  expect(connection.usable).toBe(true);
  connection.close();
  await patient;
});

it('ends a call with what the server says of it', async () => {
  const server = createHttp2Server();
  server.on('stream', (stream) => {
    stream.resume();
    stream.respond({ ':status': 200, 'grpc-status': '11', 'grpc-message': 'gone%3A 100%25' }, { endStream: true });
  });
  const connection = await GrpcConnection.connect(await listening(server), {}, new ShiftableRuntime());
  onTestFinished(() => connection.close());
  const call = connection.unary('/any', Buffer.from('x'), 5_000);
  await expect(call).rejects.toMatchObject({ code: 11, message: 'gone: 100%', from: 'server' });
});

it('finds out that a peer has stopped, and ends what waits for it', async () => {
  // Speaks once, and takes everything after that without a word.
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(settingsFrame({}));
  });
  const runtime = new ShiftableRuntime();
  const connection = await GrpcConnection.connect(await listening(server), {}, runtime);
  let closed = '';
  connection.onClose((reason) => {
    closed = reason;
  });
  const call = connection.unary('/any', Buffer.from('x'), 60_000);
  const failed = expect(call).rejects.toMatchObject({ code: 14 });
  await new Promise(setImmediate);
  runtime.advance(10_000);
  await failed;
  expect(closed).toBe('the peer does not answer any more');
});
