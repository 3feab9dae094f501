import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../runtime/pacing.ts';
import { parseJsonInSteps } from './json-reading.ts';
import { jsonInSteps } from './json-writing.ts';

const read = (text: string): unknown => atOnce(parseJsonInSteps(text));
const write = (value: unknown): string => atOnce(jsonInSteps(value as object));

const list = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);
const map = (count: number, item: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, item]));

/** Long enough for several steps, in every place where one can begin. */
const LARGE: readonly unknown[] = [
  map(3_000, 'v'),
  list(3_000, 1),
  { a: map(1_200, 'v'), b: [map(1_200, { c: list(3, null) }), list(700, {}), []], d: {} },
  { ...map(499, 0), last: [[[list(1_100, [])]]], after: true },
  list(1_100, { '\u2028"\\': '\ud83d\ude00', 7: 1, 3: -0.5 }),
  JSON.parse(`{"__proto__":${JSON.stringify(map(600, 1))},"b":{"__proto__":${JSON.stringify(list(600, 2))}}}`),
];

const plain = fc.jsonValue({ maxDepth: 1 });

const large = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }) },
    {
      weight: 1,
      // Of plain values: long lists in long lists would have no end.
      arbitrary: fc.tuple(fc.integer({ min: 400, max: 1_100 }), plain).map(([n, it]) => list(n, it)),
    },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 400, max: 700 }), fc.string()).map(([n, it]) => map(n, it)) },
  ),
})).value;

describe('JSON in steps', () => {
  it.each(LARGE.map((value, at) => [at, value] as const))('reads and writes what one call would: %i', (_at, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, ' ')]) {
      expect(read(text)).toEqual(value);
      expect(write(read(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  it('reads and writes any value', () => {
    const property = fc.property(large, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      if (text.length > 2_000_000 || typeof value !== 'object' || value === null) return;
      expect(write(read(text))).toBe(JSON.stringify(JSON.parse(text)));
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('of a key that repeats the last counts, wherever it stands', () => {
    const filling = JSON.stringify(map(700, 1)).slice(1, -1);
    const text = `{"a":1,${filling},"a":[${list(800, 2)}],"b":1,"a":{${filling}},"b":[]}`;
    expect(write(read(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('refuses what one call would refuse', () => {
    const texts = LARGE.map((value) => JSON.stringify(value));
    const property = fc.property(
      fc.constantFrom(...texts),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom(
        '',
        ',',
        ':',
        '[',
        ']',
        '{',
        '}',
        '"',
        '1',
        ' ',
        '\n',
        'x',
        ',,',
        '{}',
        '[]',
        '"a":',
        '"a":[1]',
        '\\',
      ),
      (text, part, removed, added) => {
        const at = Math.floor(part * text.length);
        const changed = text.slice(0, at) + added + text.slice(at + removed);
        const outcome = (parse: (text: string) => unknown): string => {
          try {
            return JSON.stringify(parse(changed));
          } catch (error) {
            return String(error instanceof SyntaxError);
          }
        };
        expect(outcome(read)).toBe(outcome(JSON.parse));
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  it('of each kind of wrong text between two steps', () => {
    const [members, items] = [JSON.stringify(map(600, 1)).slice(1, -1), list(600, 1).join()];
    const wrong = [
      `[${items},]`,
      `[,${items}]`,
      `[[${items}],]`,
      `[[${items}][${items}]]`,
      `[[${items}],,1]`,
      `[1[${items}]]`,
      `{${members},}`,
      `{"a":{${members}},}`,
      `{"a":{${members}}:1}`,
      `{"a"{${members}}}`,
      `{"a":5{${members}}}`,
      `{"a" "b":{${members}}}`,
      `{5:{${members}}}`,
      `{[1]:{${members}}}`,
      `[${items}}`,
      `{${members}]`,
      `[${items}`,
      `[${items}]]`,
      `x[${items}]`,
      `[${items}] 1`,
      `["a":[${items}]]`,
      `{{${members}}}`,
      `{"a":{${members}}"b":1}`,
    ]; // prettier-ignore
    for (const text of wrong) {
      expect(() => JSON.parse(text), text.slice(0, 20)).toThrow(SyntaxError);
      expect(() => read(text), text.slice(0, 20)).toThrow(SyntaxError);
    }
  });

  it('rests often', () => {
    for (const value of [map(9_900, 'v'), list(49_000, 1), map(100, list(490, 'x'))]) {
      expect([...parseJsonInSteps(JSON.stringify(value))].length).toBeGreaterThan(15);
    }
    for (const value of [{ spec: { items: list(49_000, 1) } }, map(90, map(500, 'x')), list(20, map(900, 1))]) {
      expect([...jsonInSteps(value)].length).toBeGreaterThan(15);
    }
  });

  it('leaves out what is undefined, and writes it as null in a list', () => {
    const value = { a: undefined, b: [undefined, 1], c: [list(600, undefined)], d: { e: undefined } };
    expect(write(value)).toBe(JSON.stringify(value));
  });
});
