import { describe, expect, it } from 'vitest';
import { cronSchedule, timeZone } from './schedule.ts';

describe('a schedule', () => {
  it.each([
    '* * * * *',
    '0 0 1 1 0',
    '*/15 0-12/2 1,15 jan-MAR mon',
    '5/10 ? * * sun',
    ' 1  2 3 4 5 ',
    '@hourly',
    '@every 1h30m',
    'TZ=UTC 0 0 * * *',
    'CRON_TZ=Europe/Berlin @daily',
  ])('may be %j', (text) => {
    expect(cronSchedule(text)).toBeUndefined();
  });

  it.each([
    ['', 'empty spec string'],
    ['often', 'expected exactly 5 fields, found 1: [often]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x'],
    ['@sometimes', 'unrecognized descriptor: @sometimes'],
    ['@every now', 'failed to parse duration @every now'],
    ['TZ=Nowhere/Land 0 0 * * *', 'provided bad location Nowhere/Land: unknown time zone Nowhere/Land'],
  ])('is not %j', (text, problem) => {
    expect(cronSchedule(text)).toBe(problem);
  });

  it('may name every minute, hour, day and month by itself, and is not much longer', () => {
    const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at).join(',');
    const schedule = [all(0, 59), all(0, 23), all(1, 31), all(1, 12), all(0, 6)].join(' ');
    expect(cronSchedule(schedule)).toBeUndefined();
    expect(cronSchedule(`@every ${'1'.repeat(3_000)}s`)).toBe('must have at most 2000 characters');
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'])('may be %s', (name) => {
    expect(timeZone(name)).toBeUndefined();
  });

  it.each(['', 'local', 'Nowhere', '../UTC', '+01:00', 'Europe//Berlin'])('is not %j', (name) => {
    expect(timeZone(name)).toBeDefined();
  });
});
