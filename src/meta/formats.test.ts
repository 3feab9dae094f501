import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as formats from './formats.ts';

const a = (count: number): string => 'a'.repeat(count);

type Row = readonly [format: (value: string) => string | undefined, good: readonly string[], bad: readonly string[]];

const rows: Readonly<Record<string, Row>> = {
  dns1123Label: [(v) => formats.dns1123Label(v), ['a', '0', 'a-0', a(63)], ['', '-a', 'a-', 'A', 'a.b', 'ä', a(64)]],
  dns1123Subdomain: [
    (v) => formats.dns1123Subdomain(v),
    ['a', 'a.b', 'a-b.0', a(253)],
    ['', '.', 'a.', '.a', 'a..b', 'a.-b', 'A', a(254)],
  ],
  dns1035Label: [(v) => formats.dns1035Label(v), ['a', 'a0', 'a-0'], ['', '0a', '-a', 'a-', 'a.b', a(64)]],
  pathSegment: [(v) => formats.pathSegment(v), ['A:b', '...', 'a b'], ['.', '..', 'a/b', 'a%']],
  wildcardDns1123Subdomain: [formats.wildcardDns1123Subdomain, ['*.a', '*.a.b'], ['a', '*', '*.', '*a', '*.*.a']],
  qualifiedName: [
    formats.qualifiedName,
    ['a', 'A_b.c-D', 'a.b/C', `${a(253)}/${a(63)}`],
    ['', '/a', 'a/', 'A/a', 'a/b/c', '-a', 'a-', 'a b', a(64), `${a(254)}/a`],
  ],
  labelValue: [formats.labelValue, ['', 'A', 'a_b.c-d', a(63)], ['-a', 'a-', 'a/b', 'a b', a(64)]],
  configMapKey: [formats.configMapKey, ['a', '.a', '-', 'A_b', a(253)], ['', '.', '..', '..a', 'a b', 'a/b', a(254)]],
  envVarName: [formats.envVarName, ['a', '_A', '-', 'a.b'], ['', '1a', 'a=b', '..', '..a']],
  portName: [formats.portName, ['a', 'a1', '1a', 'a-b'], ['', '1', 'A', 'a--b', '-a', 'a-', a(16)]],
  percent: [formats.percent, ['0%', '100%'], ['', '%', '1', '-1%', '1.5%']],
  httpHeaderName: [formats.httpHeaderName, ['X-A'], ['', 'a b', 'a:']],
  fqdn: [formats.fqdn, ['a.b', 'a.b.'], ['', 'a', 'a..b', 'A.b', `${a(64)}.b`]],
  fullyQualifiedName: [formats.fullyQualifiedName, ['a.b.c'], ['', 'a.b', 'A.b.c']],
  domainPrefixedPath: [formats.domainPrefixedPath, ['a.b/c/d'], ['', 'a', '/a', 'a/', 'A/b', 'a/b c']],
  sysctl: [formats.sysctl, ['a.b_c', 'a/b'], ['', '.a', 'A', a(254)]],
  conditionReason: [formats.conditionReason, ['A', 'A_b,C:d_'], ['', '1a', 'a,', 'a b']],
  noBacksteps: [formats.noBacksteps, ['', '/a/..b', 'a'], ['..', 'a/..', '/../b']],
  relativePath: [formats.relativePath, ['', 'a/b'], ['/a', 'a/../b']],
  nonReservedPath: [formats.nonReservedPath, ['a'], ['/a', '..', '..a', 'a/..']],
  absolutePath: [formats.absolutePath, ['/', '/a'], ['', 'a']],
  simpleJSONPath: [formats.simpleJSONPath, ['.a'], ['', 'a']],
};

describe.each(Object.entries(rows))('%s', (_name, [format, good, bad]) => {
  it.each(good)('takes %j', (value) => {
    expect(format(value)).toBeUndefined();
  });

  it.each(bad)('refuses %j', (value) => {
    expect(format(value)).toEqual(expect.any(String));
  });
});

describe('formats that loop over characters', () => {
  const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  const MIXED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
  const text = fc.string({
    unit: fc.constantFrom('a', 'z', 'A', '0', '-', '.', '_', '/', '%', ' ', 'é'),
    maxLength: 8,
  });

  it.each([
    [formats.dns1123Label, LABEL],
    [formats.dns1123Subdomain, `${LABEL}(\\.${LABEL})*`],
    [formats.dns1035Label, '[a-z]([-a-z0-9]*[a-z0-9])?'],
    [formats.qualifiedName, `(${LABEL}(\\.${LABEL})*/)?${MIXED}`],
    [formats.labelValue, `(${MIXED})?`],
    [formats.configMapKey, '(?!\\.$|\\.\\.)[-._a-zA-Z0-9]+'],
    [formats.envVarName, '(?!\\.$|\\.\\.)[-._a-zA-Z][-._a-zA-Z0-9]*'],
  ])('%o agrees with its pattern', (format, pattern) => {
    const matches = new RegExp(`^${pattern}$`);
    fc.assert(
      fc.property(text, (value) => (format(value) === undefined) === matches.test(value)),
      { numRuns: 2000 },
    );
  });
});

describe('a prefix for generated names', () => {
  it.each([formats.dns1123Label, formats.dns1123Subdomain, formats.dns1035Label])('%o may end in a dash', (rule) => {
    expect(rule('a-', true)).toBeUndefined();
    expect(rule('a-', false)).toBeDefined();
    expect(rule('AB-', true)).toBeDefined();
    expect(rule('-', true)).toBeDefined();
  });

  it('may be dots where names may be anything', () => {
    expect(formats.pathSegment('..', true)).toBeUndefined();
    expect(formats.pathSegment('a/', true)).toBeDefined();
  });
});

describe('formats of numbers', () => {
  it.each([
    [formats.portNumber, 1, 65535, 0, 65536],
    [formats.userId, 0, 2147483647, -1, 2147483648],
    [formats.fileMode, 0, 0o777, -1, 0o1000],
  ])('%o has bounds', (format, lowest, highest, ...outside) => {
    expect([format(lowest), format(highest)]).toEqual([undefined, undefined]);
    expect(outside.map(format)).toEqual([expect.any(String), expect.any(String)]);
  });

  it('knows numbers from percentages and names', () => {
    expect([0, '50%'].map(formats.intOrPercent)).toEqual([undefined, undefined]);
    expect([-1, '50', ''].map(formats.intOrPercent)).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    expect([80, 'http'].map(formats.portReference)).toEqual([undefined, undefined]);
    expect([0, 'HTTP'].map(formats.portReference)).toEqual([expect.any(String), expect.any(String)]);
  });
});

it('says what clients know', () => {
  expect(formats.dns1123Label('A')).toBe(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  );
  expect(formats.labelValue(a(64))).toBe('must be no more than 63 characters');
  expect(formats.qualifiedName('A/b')).toMatch(/^prefix part a lowercase RFC 1123 subdomain must/);
});
