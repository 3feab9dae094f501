import { describe, expect, it } from 'vitest';
import { helpText, readSettings } from './command-line.ts';
import { UsageError } from './flag.ts';
import { DEFAULT_SETTINGS, FLAGS } from './settings.ts';
import { durationText, parseDuration } from './units.ts';

describe('a command line', () => {
  it('without flags gives the defaults', () => {
    expect(readSettings([])).toEqual(DEFAULT_SETTINGS);
  });

  it('gives each flag its value, with an equals sign or without, the last one deciding', () => {
    const args = ['--secure-port', '1', '--secure-port=2', '--anonymous-auth', '-v=3', '--history-retention=1h30m'];
    expect(readSettings(args)).toEqual({
      ...DEFAULT_SETTINGS,
      securePort: 2,
      anonymousAuth: true,
      v: 3,
      historyRetention: 5_400_000,
    });
    expect(readSettings(['--anonymous-auth=false', '--authorization-mode=RBAC,,AlwaysAllow'])).toMatchObject({
      anonymousAuth: false,
      authorizationMode: ['RBAC', 'AlwaysAllow'],
    });
    expect(readSettings(['--token-auth-file='])).toEqual(DEFAULT_SETTINGS);
  });

  it('adds up lists that are given in parts, and keeps the commas of flags that repeat', () => {
    const args = ['--api-audiences=a,b', '--api-audiences=c', '--authorization-mode=AlwaysAllow'];
    const issuers = ['--service-account-issuer=https://a.example/x,y', '--service-account-issuer', 'b'];
    expect(readSettings([...args, ...issuers, '--service-account-key-file='])).toEqual({
      ...DEFAULT_SETTINGS,
      apiAudiences: ['a', 'b', 'c'],
      authorizationMode: ['AlwaysAllow'],
      serviceAccountIssuer: ['https://a.example/x,y', 'b'],
    });
  });

  it.each([
    [['--frobnicate'], 'unknown flag --frobnicate'],
    [['--frobnicate=1'], 'unknown flag --frobnicate'],
    [['--__proto__=1'], 'unknown flag --__proto__'],
    [['-x'], 'unknown flag -x'],
    [['serve'], 'unexpected argument "serve"'],
    [['--', 'serve'], 'unexpected argument "serve"'],
    [['--data-dir'], '--data-dir needs a value'],
    [['--data-dir='], '--data-dir needs a value'],
    [['--secure-port=http'], '--secure-port must be a whole number from 0 to 65535, not "http"'],
    [['--secure-port=65536'], '--secure-port must be a whole number from 0 to 65535, not "65536"'],
    [['--secure-port=-1'], '--secure-port must be a whole number from 0 to 65535, not "-1"'],
    [['--storage=floppy'], '--storage must be one of lmdb, memory, etcd, not "floppy"'],
    [['--vocabulary=latin'], '--vocabulary must be one of platform, kubernetes, not "latin"'],
    [['--history-retention=5'], '--history-retention must be a duration such as 30s, 5m or 1h30m, not "5"'],
    [['--anonymous-auth=maybe'], '--anonymous-auth must be true or false, not "maybe"'],
  ])('%j is refused', (args, reason) => {
    expect(() => readSettings(args)).toThrow(UsageError);
    expect(() => readSettings(args)).toThrow(reason);
  });

  it('is explained, flag by flag', () => {
    for (const { name, help } of Object.values(FLAGS)) {
      expect(helpText()).toMatch(new RegExp(`^  --${name}=.*${help.replace(/[|\\{}()[\]^$+*?.]/g, '\\$&')}`, 'm'));
    }
  });
});

it.each([
  ['0', 0],
  ['250ms', 250],
  ['1.5s', 1_500],
  ['1h1m1s1ms', 3_661_001],
  ['', undefined],
  ['5', undefined],
  ['s', undefined],
  ['-5s', undefined],
  ['5 s', undefined],
  ['5d', undefined],
])('the duration %j is %j milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each([0, 1, 250, 1_500, 60_000, 3_661_001, 0.5, 90_000_000])(
  '%j milliseconds are written as they are read',
  (time) => {
    expect(parseDuration(durationText(time))).toBe(time);
  },
);
