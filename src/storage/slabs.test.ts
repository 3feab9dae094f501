import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slabs, sharedMemory } from './slabs.ts';

const filled = (slabs: Slabs, length: number, byte: number): Buffer => slabs.take(length).fill(byte);

describe('slabs', () => {
  it('give pieces that do not overlap, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 40 }), (lengths) => {
        const slabs = new Slabs(1000);
        const pieces = lengths.map((length, at) => filled(slabs, length, at));
        for (const [at, piece] of pieces.entries()) {
          expect(piece.length).toBe(lengths[at]);
          expect(piece.every((byte) => byte === at)).toBe(true);
        }
      }),
    );
  });

  it('put small pieces into one block, and large ones into memory of their own', () => {
    const slabs = new Slabs(200_000);
    expect(slabs.take(10).buffer).toBe(slabs.take(20).buffer);
    const large = slabs.take(100_000);
    expect(large.buffer.byteLength).toBe(100_000);
    expect(slabs.begun).toBe(1);
    expect(slabs.uncounted).toBe(30 - 200_000);
  });

  it('tell how much would be free if what is left in sparse ones were moved', () => {
    const slabs = new Slabs(1000);
    const pieces = Array.from({ length: 20 }, (_, at) => filled(slabs, 100, at));
    expect(slabs.findSparse()).toBe(0);
    const [kept, ...others] = pieces.slice(0, 10);
    for (const piece of others) slabs.release(piece);
    expect(slabs.findSparse()).toBe(900);
    expect(kept && slabs.isSparse(kept)).toBe(true);
    expect(slabs.isSparse(pieces[15] as Buffer)).toBe(false);
  });

  it('are not taken from any more once they are sparse', () => {
    const slabs = new Slabs(1000);
    const kept = filled(slabs, 100, 1);
    slabs.release(slabs.take(500));
    expect(slabs.findSparse()).toBe(500);
    slabs.retireSparse();
    const moved = slabs.keep(kept);
    expect(moved).toEqual(kept);
    expect(moved.buffer).not.toBe(kept.buffer);
    expect(slabs.isSparse(moved)).toBe(false);
  });

  it('take over memory that others have filled', () => {
    const slabs = new Slabs(1000);
    const memory = Buffer.alloc(500, 7).buffer;
    slabs.adopt(memory, 500);
    slabs.release(Buffer.from(memory, 0, 400));
    expect(slabs.findSparse()).toBe(400);
    expect(slabs.uncounted).toBe(0);
  });

  it('tell of memory that they took over and that the engine does not count', () => {
    const slabs = new Slabs(1000);
    const [own, shared] = [new Slabs(1000), new Slabs(1000, sharedMemory)].map((filling) => filling.take(10).buffer);
    if (!own || !shared) throw new Error('there is no memory');
    slabs.adopt(own, 10);
    slabs.adopt(shared, 10);
    expect(slabs.uncounted).toBe(1000);
  });
});
