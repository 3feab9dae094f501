import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOOPS, readLoopChoice } from './loop-table.ts';

/** Which of three loops run, of which the last is off by default. */
const chosen = (...entries: string[]): string[] => {
  const choice = readLoopChoice(entries);
  const byDefault = { namespace: true, podgc: true, tokencleaner: false };
  return Object.entries(byDefault).flatMap(([name, on]) => (choice.includes(name, on) ? name : []));
};

describe('a choice of control loops', () => {
  it.each([
    [['*'], ['namespace', 'podgc']],
    [
      ['*', 'tokencleaner'],
      ['namespace', 'podgc', 'tokencleaner'],
    ],
    [['*', '-podgc'], ['namespace']],
    [['-podgc', '*'], ['namespace']],
    [['podgc'], ['podgc']],
    [['-podgc'], []],
    [['-*'], []],
    [['-*', 'podgc'], ['podgc']],
    [['podgc', '-*'], ['podgc']],
    [
      ['*', 'podgc', '-podgc'],
      ['namespace', 'podgc'],
    ],
    [['*', '-podgc', 'podgc'], ['namespace']],
    [
      ['*', 'deployment', '-job'],
      ['namespace', 'podgc'],
    ],
    [[], []],
  ])('%j is %j', (entries, expected) => {
    expect(chosen(...entries)).toEqual(expected);
  });

  it.each(['frobnicator', '-frobnicator', '--podgc', '', '-', '**'])('refuses %j', (entry) => {
    const name = entry.replace(/^-/, '');
    expect(() => readLoopChoice(['*', entry])).toThrow(`there is no control loop "${name}"`);
  });
});

const FACTS = new URL('../../../shared/reference/operations.json', import.meta.url);

describe.runIf(existsSync(FACTS))('the names of the reference', () => {
  const { all, offByDefault }: Record<'all' | 'offByDefault', string[]> = existsSync(FACTS)
    ? JSON.parse(readFileSync(FACTS, 'utf8')).controllers
    : { all: [], offByDefault: [] };

  it('are all accepted, in both forms', () => {
    for (const name of all) readLoopChoice([name, `-${name}`]);
  });

  it('are those of the loops there are, and the same are off by default', () => {
    expect(LOOPS.map(({ name }) => name).filter((name) => !all.includes(name))).toEqual([]);
    const off = LOOPS.filter(({ byDefault }) => byDefault !== 'always').map(({ name }) => name);
    expect(off.sort()).toEqual([...offByDefault].sort());
  });
});
