import { describe, expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { OneTimeLogins } from './one-time-logins.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const admin = userNamed('admin', []);

function begin() {
  const runtime = new ManualRuntime();
  return { runtime, logins: new OneTimeLogins(runtime, admin) };
}

describe('a code', () => {
  it('is good once, for a token of its own', () => {
    const { logins } = begin();
    const code = logins.code();
    const granted = logins.exchange(code);
    expect(logins.find(granted?.token ?? '')).toBe(admin);
    expect(granted?.token).not.toBe(code);
    expect(logins.exchange(code)).toBeUndefined();
    expect(logins.find(code)).toBeUndefined();
  });

  it('waits ten minutes and no longer', () => {
    const { logins, runtime } = begin();
    const [early, late] = [logins.code(), logins.code()];
    runtime.advance(10 * MINUTE - 1);
    expect(logins.exchange(early)).toBeDefined();
    runtime.advance(1);
    expect(logins.exchange(late)).toBeUndefined();
  });

  it('is none that was not given out', () => {
    const { logins } = begin();
    const code = logins.code();
    for (const wrong of ['', code.slice(1), `${code}a`, code.toLowerCase(), '\u{1f600}'.repeat(10)]) {
      expect(logins.exchange(wrong)).toBeUndefined();
    }
    expect(logins.exchange(code)).toBeDefined();
  });

  it('gives way to newer ones when there are very many', () => {
    const { logins } = begin();
    const codes = Array.from({ length: 40 }, () => logins.code());
    expect(codes.filter((code) => logins.exchange(code))).toEqual(codes.slice(-16));
  });
});

it('a token ends after eight hours', () => {
  const { logins, runtime } = begin();
  const token = logins.exchange(logins.code())?.token ?? '';
  runtime.advance(8 * HOUR - 1);
  expect(logins.find(token)).toBe(admin);
  runtime.advance(1);
  expect(logins.find(token)).toBeUndefined();
});
