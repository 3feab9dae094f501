import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Held, refuteLinearizability } from './linearizability.ts';
import { type Entry, refuteOrder } from './ordered-history.ts';
import { type Answer, type Exchange, operationOf, type Request, succeeds } from './register.ts';

const KEY = 'register';
const entry = (revision: number, mark: Held, uid = 'u'): Entry => ({ revision, key: KEY, mark, uid });
const asked = (called: number, at: number | undefined, request: Request, answer: Answer): Exchange => {
  return { key: KEY, request, called, answered: at === undefined ? undefined : { at, answer } };
};
const wrote = (called: number, at: number, mark: string, revision: number) =>
  asked(called, at, { does: 'create', mark }, { told: 'done', revision });
const replaced = (called: number, at: number | undefined, mark: string, revision: number) =>
  asked(called, at, { does: 'replace', mark }, { told: 'done', revision });
const saw = (called: number, at: number, held: Held) => asked(called, at, { does: 'get' }, { told: 'held', held });

const LOG = [entry(5, 'a'), entry(7, 'b'), entry(9, undefined)];
const WRITES = [wrote(1, 2, 'a', 5), replaced(3, 8, 'b', 7)];
const REMOVAL = asked(10, 12, { does: 'delete' }, { told: 'done', uid: 'u' });
const ALL = [...WRITES, REMOVAL];

describe('what agrees', () => {
  it.each<[string, readonly Entry[], Exchange[]]>([
    ['nothing at all', [], []],
    [
      'writes, a removal, and what was there between',
      LOG,
      [...ALL, saw(4, 5, 'a'), saw(6, 7, 'b'), saw(13, 14, undefined)],
    ],
    ['nothing before the first', LOG, [...ALL, saw(0, 1, undefined)]],
    [
      'a write without an answer that was made',
      LOG.slice(0, 2),
      [WRITES[0] as Exchange, replaced(3, undefined, 'b', 7)],
    ],
    ['and one that was not', LOG.slice(0, 1), [WRITES[0] as Exchange, replaced(3, undefined, 'b', 7)]],
    ['a removal without an answer', LOG, [...WRITES, { ...REMOVAL, answered: undefined }]],
    [
      'a refusal while something else was there',
      LOG,
      [...ALL, asked(4, 5, { does: 'create', mark: 'c' }, { told: 'refused' })],
    ],
  ])('%s', (_what, log, exchanges) => {
    expect(refuteOrder(log, exchanges)).toBeUndefined();
  });
});

describe('what does not agree', () => {
  it.each<[string, readonly Entry[], Exchange[], RegExp]>([
    ['a write that no watch told of', LOG.slice(0, 1), WRITES, /no watch told of it/],
    ['a write that nobody made', [...LOG, entry(11, 'c')], ALL, /nobody made/],
    ['a removal that nobody made', LOG, WRITES, /nobody made/],
    ['a write at another version', [entry(6, 'a')], WRITES.slice(0, 1), /watches have it at 6/],
    [
      'a write that was refused and made',
      LOG.slice(0, 1),
      [asked(1, 2, { does: 'create', mark: 'a' }, { told: 'refused' })],
      /all the same/,
    ],
    [
      'a creation over something',
      [entry(5, 'a'), entry(6, 'b')],
      [wrote(1, 2, 'a', 5), wrote(3, 4, 'b', 6)],
      /while there was a/,
    ],
    [
      'a comparison with what was not there',
      LOG.slice(0, 2),
      [
        WRITES[0] as Exchange,
        asked(3, 4, { does: 'compare', expected: 'x', mark: 'b' }, { told: 'done', revision: 7 }),
      ],
      /while there was a/,
    ],
    ['what was there before an answered write', LOG, [...ALL, saw(9, 10, 'a')], /can only have been made then/],
    ['what comes and goes', LOG, [...ALL, saw(4, 5, 'b'), saw(6, 7, 'a')], /never there|only have been made/],
    ['what is not there yet', LOG, [...ALL, saw(0, 0.5, 'a')], /never there until then/],
    [
      'writes in another order than that of their answers',
      [entry(5, 'a'), entry(7, 'b')],
      [wrote(9, 10, 'a', 5), replaced(1, 2, 'b', 7)],
      /can only have been made then/,
    ],
  ])('%s', (_what, log, exchanges, words) => {
    expect(refuteOrder(log, exchanges)).toMatch(words);
  });

  it('versions of two registers in another order than that of their answers', () => {
    const other = { ...wrote(5, 6, 'z', 3), key: 'other' };
    const log = [{ ...entry(3, 'z'), key: 'other' }, entry(5, 'a')];
    expect(refuteOrder(log, [wrote(1, 2, 'a', 5), other])).toMatch(/was answered before/);
  });
});

/** A register that works, or that one answer or one moment is wrong about. */
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('get', 'get', 'create', 'replace', 'delete'),
    before: fc.nat(30),
    after: fc.nat(30),
    answered: fc.nat(9).map((n) => n > 0),
    /** How far from where it belongs what was told is. */
    wrong: fc.nat(40).map((n) => (n === 0 ? 100 : 0)),
  }),
  { minLength: 1, maxLength: 25 },
);

it('agrees with the search over all orders about which histories are possible', () => {
  let refuted = 0;
  fc.assert(
    fc.property(steps, (history) => {
      const log: Entry[] = [];
      const exchanges = history.map(({ does, before, after, answered, wrong }, i): Exchange => {
        const request: Request = does === 'get' || does === 'delete' ? { does } : { does, mark: `m${i}` };
        const held = log.at(-1)?.mark;
        const moment = i * 10 + wrong;
        const isDone = does !== 'get' && succeeds(request, held);
        if (isDone) log.push(entry(i + 1, 'mark' in request ? request.mark : undefined, `u${i}`));
        const done: Answer = does === 'delete' ? { told: 'done', uid: `u${i}` } : { told: 'done', revision: i + 1 };
        const answer: Answer = does === 'get' ? { told: 'held', held } : isDone ? done : { told: 'refused' };
        return asked(moment - before, answered ? moment + after : undefined, request, answer);
      });
      const problem = refuteOrder(log, exchanges);
      const impossible = refuteLinearizability(exchanges.map(operationOf));
      // The order is known here, and any will do there.
      if (problem === undefined) expect(impossible).toBeUndefined();
      else refuted++;
      if (history.every(({ wrong }) => wrong === 0)) expect(problem).toBeUndefined();
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(refuted).toBeGreaterThan(0);
});
