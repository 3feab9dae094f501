import { expect, it } from 'vitest';
import type { StoredVersion, Write } from '../backend.ts';
import { ManualRuntime } from '../manual-runtime.ts';
import { Sequencer } from './sequencer.ts';

const put = (key: string, expected = 0): Write => ({ key, expected, value: { head: '', tail: '' } });
const turn = () => new Promise(setImmediate);

/** A sequencer over a disk whose every flush the test ends by hand. */
function start() {
  const flushes: { keys: string[]; end: (error?: Error) => void }[] = [];
  const delivered: StoredVersion[] = [];
  const sequencer = new Sequencer(new ManualRuntime(), (versions) => {
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
      flushes.push({ keys: versions.map(({ key }) => key), end });
    });
  });
  sequencer.start(10, (versions) => delivered.push(...versions));
  return { sequencer, flushes, delivered };
}

it('persists one batch at a time; what arrives meanwhile goes into the next', async () => {
  const { sequencer, flushes } = start();
  const commits = [sequencer.commit(put('a')), sequencer.commit(put('b'))];
  await turn();
  commits.push(sequencer.commit(put('c')));
  await turn();
  commits.push(sequencer.commit(put('d')));
  await turn();
  expect(flushes.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  flushes[0]?.end();
  await turn();
  expect(flushes.map(({ keys }) => keys)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  flushes[1]?.end();
  expect((await Promise.all(commits)).map(({ revision }) => revision)).toEqual([11, 12, 13, 14]);
});

it('shows and answers nothing before it is durable, conflicts with it neither', async () => {
  const { sequencer, flushes, delivered } = start();
  const answered: string[] = [];
  const winner = sequencer.commit(put('a')).then(() => answered.push('winner'));
  const loser = sequencer.commit(put('a')).then(({ conflict }) => answered.push(conflict ? 'loser' : '?'));
  await turn();
  expect([answered, delivered, sequencer.revision]).toEqual([[], [], 10]);
  flushes[0]?.end();
  await Promise.all([winner, loser]);
  expect(answered).toEqual(['winner', 'loser']);
  expect(delivered.map(({ revision }) => revision)).toEqual([11]);
});

it('fails with a batch all that waits behind it, and gives none of their revisions again', async () => {
  const { sequencer, flushes, delivered } = start();
  const failing = [sequencer.commit(put('a')), sequencer.commit(put('a'))];
  await turn();
  failing.push(sequencer.commit(put('a', 11)), sequencer.commit(put('b')));
  flushes[0]?.end(new Error('no space'));
  for (const result of await Promise.allSettled(failing)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'no space' } });
  }
  const later = sequencer.commit(put('a'));
  await turn();
  flushes[1]?.end();
  expect(await later).toEqual({ conflict: false, revision: 14 });
  expect(delivered.map(({ revision }) => revision)).toEqual([14]);
});

it('releases the text of a write once it is stamped, and of one that conflicts never', async () => {
  const { sequencer, flushes, delivered } = start();
  const released: string[] = [];
  const named = (head: string): Write => ({
    ...put('a'),
    value: { head, tail: '', release: () => released.push(head) },
  });
  const commits = [sequencer.commit(named('x')), sequencer.commit(named('y'))];
  expect(released).toEqual(['x']);
  await turn();
  flushes[0]?.end();
  await Promise.all(commits);
  expect(released).toEqual(['x']);
  expect(delivered.map(({ bytes }) => bytes.toString())).toEqual(['x11']);
});
