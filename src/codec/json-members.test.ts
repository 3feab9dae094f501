import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../runtime/pacing.ts';
import { membersOf } from './json-members.ts';

const read = (text: string): object =>
  Object.fromEntries([...atOnce(membersOf(text))].map(([name, value]) => [name, JSON.parse(value)]));

describe('the members of a JSON object', () => {
  it('are those that parsing gives', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '[]', '"x"', '{"a"}', '{"a":1', '{"a":1]', '{a:1}', '{"a":[1', '{"a":"x'])(
    'are refused of %j',
    (text) => {
      expect(() => read(text)).toThrow(SyntaxError);
    },
  );
});
