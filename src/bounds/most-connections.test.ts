import { expect, it } from 'vitest';
import { mostConnections } from './most-connections.ts';

const MIB = 1 << 20;

it.each([
  ['256 MiB', 256 * MIB, 1 << 20, 3_276],
  ['2 GiB', 2048 * MIB, 1 << 20, 26_214],
  ['many files', 2048 * MIB, 4_096, 3_584],
  ['few files', 2048 * MIB, 256, 128],
  ['no limit of files', 256 * MIB, Number.POSITIVE_INFINITY, 3_276],
  ['next to nothing', 1, 1, 1],
])('with %s there may be as many connections as fit', (_, memory, files, most) => {
  expect(mostConnections(memory, files)).toBe(most);
});

it('asks the system how many files may be open', () => {
  expect(mostConnections(Number.MAX_SAFE_INTEGER)).toBeGreaterThan(0);
});
