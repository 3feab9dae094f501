import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../runtime/pacing.ts';
import { readAnswer } from './answer-json.ts';

const read = (text: string, most = 100_000): unknown => atOnce(readAnswer(text, most));
const PADDING = ' '.repeat(20_000);

describe('an answer', () => {
  it('is read as JSON is, be it short or long', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(read(json)).toEqual(JSON.parse(json));
        expect(read(`${json}${PADDING}`)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('that is long is read in steps', () => {
    const long = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at })));
    expect([...readAnswer(long, 100_000)].length).toBeGreaterThan(30);
  });

  it.each([
    ['is no JSON', `{"a":${PADDING}`, 'the answer is not JSON'],
    ['is short, and no JSON', '<html>', 'the answer is not JSON'],
    ['has very many values', `[${'{},'.repeat(2_800_000)}{}]`, 'the answer has more than 100000 values'],
    ['nests without end', '['.repeat(8_000_000), 'the answer nests deeper than 200 levels'],
  ])('that %s is refused', (_what, text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });
});
