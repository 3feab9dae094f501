import { expect, it } from 'vitest';
import { ManualRuntime } from '../../manual-runtime.ts';
import { Slabs } from '../../slabs.ts';
import { ReadMemory } from './read-memory.ts';

const record = Buffer.from(Array.from({ length: 110 }, (_, at) => at));
const bytes = record.subarray(10);

it('has pieces of large blocks, and of a few only', () => {
  const memory = new ReadMemory(new ManualRuntime(), new Slabs(1000));
  const pieces = Array.from({ length: 40 }, () => memory.keep(record, 10));
  for (const piece of pieces) expect(piece).toEqual(bytes);
  const blocks = new Set(pieces.slice(0, 20).map(({ buffer }) => buffer));
  expect(blocks.size).toBe(2);
  for (const { buffer } of pieces.slice(20)) expect(buffer.byteLength).toBe(100);
  memory.close();
});

it('lets go of the block it is at once nobody reads any more', () => {
  const runtime = new ManualRuntime();
  const memory = new ReadMemory(runtime, new Slabs(100_000));
  const first = memory.keep(record, 10);
  runtime.advance(8_000);
  const second = memory.keep(record, 10);
  expect(second.buffer).toBe(first.buffer);
  // The first look finds that somebody has read since.
  runtime.advance(8_000);
  expect(memory.keep(record, 10).buffer).toBe(first.buffer);
  runtime.advance(30_000);
  const later = memory.keep(record, 10);
  expect(later.buffer).not.toBe(first.buffer);
  expect(second).toEqual(bytes);
  memory.close();
});
