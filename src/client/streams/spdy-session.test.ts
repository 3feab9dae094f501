import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import { HeaderWriter } from './spdy-compression.ts';
import { controlFrame, dataFrame, FRAME_TYPES, headerBlock, words } from './spdy-frames.ts';
import { SpdySession } from './spdy-session.ts';

let server: Duplex;
let runtime: ShiftableRuntime;
let session: SpdySession;

beforeEach(() => {
  const [near, far] = duplexPair();
  server = far.on('error', () => {});
  runtime = new ShiftableRuntime();
  session = new SpdySession(near, runtime);
});

afterEach(() => session.close());

const reply = (): Buffer =>
  controlFrame(FRAME_TYPES.synReply, 0, Buffer.concat([words(1), new HeaderWriter().write(headerBlock({}))]));

async function outcome(...sent: readonly Buffer[]): Promise<unknown> {
  const opened = session.open({ streamtype: 'error' });
  for (const frame of sent) server.write(frame);
  return opened
    .then(
      async (stream) => {
        for await (const part of stream) if (part.length > 2 ** 24) throw new Error('too much');
        return 'ended';
      },
      (error: Error) => error,
    )
    .catch((error: Error) => error);
}

/** Sixty mebibytes of nothing, as headers. */
const bomb = (): Buffer => Buffer.concat([Buffer.of(0x78, 0x01), deflateRawSync(Buffer.alloc(60 * 2 ** 20))]);

describe('a server that', () => {
  it.each([
    ['sends a control frame of sixteen mebibytes', Buffer.from([0x80, 3, 0, 2, 0, 255, 255, 255])],
    [
      'sends headers that are far longer than they look',
      controlFrame(FRAME_TYPES.synReply, 0, Buffer.concat([words(1), bomb()])),
    ],
    [
      'sends headers that are none',
      controlFrame(FRAME_TYPES.synReply, 0, Buffer.concat([words(1), Buffer.from('nonsense')])),
    ],
    ['resets the stream', controlFrame(FRAME_TYPES.reset, 0, words(1, 5))],
  ])('%s is an error', async (_what, frame) => {
    expect(await outcome(frame)).toBeInstanceOf(Error);
  });

  it('hangs up in the middle of a frame is an error', async () => {
    const done = outcome(reply(), dataFrame(1, 0, Buffer.alloc(100)).subarray(0, 20));
    server.end();
    expect(await done).toMatchObject({ message: 'the connection was closed' });
  });

  it('never agrees to a stream is waited for, but not for ever', async () => {
    const done = outcome();
    runtime.advance(30_000);
    expect(await done).toMatchObject({ message: 'no stream in time' });
  });

  it('says nothing any more is given up', async () => {
    const opened = session.open({ streamtype: 'error' });
    server.write(reply());
    const done = text(await opened).catch((error: Error) => error);
    runtime.advance(90_000);
    expect(await done).toMatchObject({ message: 'the server gave no sign of life' });
  });
});
