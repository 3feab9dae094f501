import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Held, type Operation, refuteLinearizability } from './linearizability.ts';
import { type Answer, operationOf, type Request } from './register.ts';

type Span = readonly [called: number, answered?: number];

const op = ([called, answered]: Span, request: Request, answer?: Answer): Operation =>
  operationOf({
    request,
    called,
    answered: answer === undefined || answered === undefined ? undefined : { at: answered, answer },
  });
const write = (span: Span, mark: string) => op(span, { does: 'replace', mark }, { told: 'done' });
const create = (span: Span, mark: string) => op(span, { does: 'create', mark }, { told: 'done' });
const read = (span: Span, held: Held) => op(span, { does: 'get' }, { told: 'held', held });

describe('what can be explained', () => {
  it.each<[string, Operation[]]>([
    ['nothing at all', []],
    ['what took no time, or began as another ended', [create([1, 1], 'a'), write([1, 2], 'b'), read([2, 2], 'a')]],
    ['a read that overlaps a write sees it', [create([1, 2], 'a'), write([3, 9], 'b'), read([4, 5], 'b')]],
    ['or does not', [create([1, 2], 'a'), write([3, 9], 'b'), read([4, 5], 'a'), read([6, 7], 'b')]],
    [
      'a write without an answer is seen later',
      [create([1, 2], 'a'), op([3], { does: 'replace', mark: 'b' }), read([8, 9], 'b')],
    ],
    ['or never', [create([1, 2], 'a'), op([3], { does: 'replace', mark: 'b' }), read([8, 9], 'a')]],
    [
      'of two that compare with the same, one wins',
      [
        create([1, 2], 'a'),
        op([3, 6], { does: 'compare', expected: 'a', mark: 'b' }, { told: 'done' }),
        op([3, 6], { does: 'compare', expected: 'a', mark: 'c' }, { told: 'refused' }),
        read([7, 8], 'b'),
      ],
    ],
  ])('%s', (_what, operations) => {
    expect(refuteLinearizability(operations)).toBeUndefined();
  });
});

describe('what cannot be explained', () => {
  it.each<[string, Operation[]]>([
    ['an acknowledged write that is lost', [create([1, 2], 'a'), write([3, 4], 'b'), read([5, 6], 'a')]],
    ['a read of what nobody wrote', [create([1, 2], 'a'), read([3, 4], 'z')]],
    ['a read of what is written only later', [create([1, 2], 'a'), read([3, 4], 'b'), write([5, 6], 'b')]],
    [
      'two reads that disagree about the order of two writes',
      [
        create([0, 1], 'o'),
        write([2, 9], 'a'),
        write([2, 9], 'b'),
        read([3, 4], 'a'),
        read([5, 6], 'b'),
        read([7, 8], 'a'),
      ],
    ],
    [
      'a read of the state before a deletion, after it',
      [create([1, 2], 'a'), op([3, 4], { does: 'delete' }, { told: 'done' }), read([5, 6], 'a')],
    ],
    [
      'two that compare with the same, and both win',
      [
        create([1, 2], 'a'),
        op([3, 6], { does: 'compare', expected: 'a', mark: 'b' }, { told: 'done' }),
        op([3, 6], { does: 'compare', expected: 'a', mark: 'c' }, { told: 'done' }),
      ],
    ],
    ['a second creation', [create([1, 2], 'a'), create([3, 4], 'b')]],
    [
      'a refusal without a reason',
      [create([1, 2], 'a'), op([3, 4], { does: 'compare', expected: 'a', mark: 'b' }, { told: 'refused' })],
    ],
    [
      'a write without an answer that comes and goes',
      [create([1, 2], 'a'), op([3], { does: 'replace', mark: 'b' }), read([4, 5], 'b'), read([6, 7], 'a')],
    ],
  ])('%s', (_what, operations) => {
    expect(refuteLinearizability(operations)).toMatch(/^with .* none of these could have been next:\n/);
  });
});

/** A register that works, asked by several at once: each operation happens at a moment between its call and its answer. */
const history = fc.array(
  fc.record({
    does: fc.constantFrom('get', 'get', 'create', 'replace', 'delete'),
    before: fc.nat(30),
    after: fc.nat(30),
    answered: fc.nat(9).map((n) => n > 0),
  }),
  { minLength: 1, maxLength: 60 },
);

it('accepts every history of a register that works, and none in which a read is turned around', () => {
  fc.assert(
    fc.property(history, fc.nat(), (steps, chosen) => {
      let held: Held;
      const reads: number[] = [];
      const operations = steps.map(({ does, before, after, answered }, i): Operation => {
        const request: Request = does === 'get' || does === 'delete' ? { does } : { does, mark: `m${i}` };
        const moment = i * 10;
        const [answer, next] = happen(request, held);
        held = next;
        if (does === 'get' && answered) reads.push(i);
        return op(
          answered ? [moment - before, moment + after] : [moment - before],
          request,
          answered ? answer : undefined,
        );
      });
      expect(refuteLinearizability(operations)).toBeUndefined();
      const turned = reads[chosen % Math.max(1, reads.length)];
      if (turned === undefined) return;
      const wrong = operations.with(turned, read([turned * 10, turned * 10 + 1], 'nobody wrote this'));
      expect(refuteLinearizability(wrong)).toBeDefined();
    }),
  );
});

function happen(request: Request, held: Held): [Answer, Held] {
  if (request.does === 'get') return [{ told: 'held', held }, held];
  const wantsNothing = request.does === 'create';
  if ((held === undefined) !== wantsNothing) return [{ told: 'refused' }, held];
  return [{ told: 'done' }, 'mark' in request ? request.mark : undefined];
}
