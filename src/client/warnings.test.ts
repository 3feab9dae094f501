import { expect, it } from 'vitest';
import { warningsIn } from './warnings.ts';

it.each([
  [undefined, []],
  ['299 - "one"', ['one']],
  ['299 - "one", 299 agent "two, with \\"quotes\\" and a \\\\"', ['one', 'two, with "quotes" and a \\']],
  [
    ['299 - "one"', '299 - "two" "Wed, 21 Oct 2015 07:28:00 GMT"'],
    ['one', 'two'],
  ],
  ['199 - "of another kind"', []],
])('the warnings in %s', (header, texts) => {
  expect(warningsIn(header)).toEqual(texts);
});
