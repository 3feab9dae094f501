import { expect, it } from 'vitest';
import { ShiftableRuntime } from '../../test/support/shiftable-runtime.ts';
import { LoginAttempts } from './login-attempts.ts';

it('attempts are told of at once, and very many of them together', () => {
  const runtime = new ShiftableRuntime();
  const told: number[] = [];
  const attempts = new LoginAttempts(runtime, (count) => told.push(count));
  for (let at = 0; at < 10_000; at++) attempts.refused();
  expect(told).toEqual([1]);
  runtime.advance(10_001);
  expect(told).toEqual([1, 9_999]);
  runtime.advance(60_000);
  attempts.refused();
  expect(told).toEqual([1, 9_999, 1]);
});
