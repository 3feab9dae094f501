import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Block } from './block.ts';
import type { ByteSink } from './message.ts';

/** A peer that takes what it is sent when it is told to. */
class SlowSink implements ByteSink {
  readonly received: string[] = [];
  readonly buffered = 0;
  readonly #waiting: { bytes: Buffer; onSent: (() => void) | undefined }[] = [];

  write(bytes: Buffer, onSent?: () => void): boolean {
    this.#waiting.push({ bytes, onSent });
    return false;
  }

  takeOne(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.received.push(next.bytes.toString('latin1'));
    next.onSent?.();
  }

  takeAll(): void {
    while (this.#waiting.length > 0) this.takeOne();
  }

  end(): void {}
  abort(): void {}
}

const piece = fc.tuple(fc.oneof(fc.nat(100), fc.integer({ min: 10_000, max: 60_000 })), fc.nat(25));
const step = fc.oneof(fc.record({ send: fc.array(piece, { maxLength: 6 }) }), fc.constant('take' as const));

it('is sent as it was put together, however late the peer takes it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const sink = new SlowSink();
      const sent: string[] = [];
      for (const one of steps) {
        if (one === 'take') {
          sink.takeOne();
          continue;
        }
        const block = new Block();
        const texts = one.send.map(([length, letter]) => String.fromCharCode(97 + letter).repeat(length));
        for (const text of texts) block.add(Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5)));
        expect(block.pieces).toBe(texts.length);
        block.sendTo(sink);
        const whole = texts.join('');
        if (whole !== '') sent.push(whole);
      }
      sink.takeAll();
      expect(sink.received).toEqual(sent);
    }),
    { numRuns: 50 },
  );
});

it('takes memory that was sent for the next one', () => {
  const memories: ArrayBufferLike[] = [];
  const sink: ByteSink = {
    buffered: 0,
    write(bytes, onSent) {
      memories.push(bytes.buffer);
      onSent?.();
      return true;
    },
    end() {},
    abort() {},
  };
  for (let round = 0; round < 3; round++) {
    const block = new Block();
    block.add(Buffer.from('x'));
    block.sendTo(sink);
  }
  expect(new Set(memories).size).toBe(1);
});
