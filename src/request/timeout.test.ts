import { expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { readTimeout } from './timeout.ts';

const read = (text: string): number | undefined => readTimeout(new URLSearchParams({ timeout: text }));

it.each([
  ['32s', 32_000],
  ['1h15m30.5s', 4_530_500],
  ['.5s', 500],
  ['1.s', 1000],
  ['1500us', 1.5],
  ['0', 0],
  ['-5s', -5000],
  ['+5s', 5000],
  ['', undefined],
])('a timeout of %j is %j milliseconds', (text, milliseconds) => {
  expect(read(text)).toBe(milliseconds);
});

it.each([
  ['garbage', 'invalid duration'],
  ['5', 'missing unit in duration'],
  ['5d', 'unknown unit "d" in duration'],
  ['.s', 'invalid duration'],
  ['-', 'invalid duration'],
  ['1.2.3s', 'missing unit in duration'],
  [`${'1'.repeat(100)}s`, 'invalid duration'],
])('a timeout of %j is refused: %s', (text, why) => {
  expect(() => read(text)).toThrow(
    `invalid timeout specified in the request URL - time: ${why} ${JSON.stringify(text)}`,
  );
  expect(() => read(text)).toThrow(ApiError);
});
