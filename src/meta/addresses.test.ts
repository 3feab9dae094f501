import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cidr,
  extentOf,
  formatAddress,
  ip,
  ipv4,
  ipv6,
  isOnePerFamily,
  isStrictSubset,
  isWithin,
  nonSpecialIP,
  parseAddress,
  parseAddressRange,
} from './addresses.ts';

const range = (text: string) => parseAddressRange(text) ?? expect.unreachable(text);
const address = (text: string) => parseAddress(text) ?? expect.unreachable(text);

describe('an address', () => {
  it('is read as the system reads it', () => {
    const texts = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4Extended(),
      fc.string({ unit: fc.constantFrom('1', 'a', ':', '.') }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        // The system refuses zeros before IPv4 digits, which clients have always got away with.
        fc.pre(!/(^|[.:])0\d/.test(text));
        return (ip(text) === undefined) === isIP(text) > 0;
      }),
    );
  });

  it('is written in one way, which reads as the same address', () => {
    const canonical = (text: string): string => {
      const { hostname } = new URL(text.includes(':') ? `http://[${text}]` : `http://${text}`);
      return hostname.replace(/^\[|\]$/g, '');
    };
    const groups = fc.array(fc.constantFrom(0, 0, 1, 0xab, 0xffff), { minLength: 8, maxLength: 8 });
    const texts = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      groups.map((all) => all.map((group) => group.toString(16)).join(':')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = address(text);
        const written = formatAddress(parsed);
        expect(address(written)).toEqual(parsed);
        if (!text.includes(':') || parsed.family === 6) expect(written).toBe(canonical(text));
      }),
    );
  });

  it('may have zeros before its decimal digits', () => {
    expect(address('010.0.0.001')).toEqual(address('10.0.0.1'));
  });

  it('is IPv4 also when written as IPv6', () => {
    expect(address('::ffff:10.0.0.1')).toEqual(address('10.0.0.1'));
    expect([ipv4('::ffff:1.2.3.4'), ipv6('::1'), ipv4('::1'), ipv6('1.2.3.4')]).toEqual([
      undefined,
      undefined,
      expect.any(String),
      expect.any(String),
    ]);
  });

  it.each(['', '1.2.3', '1.2.3.256', '::1%eth0', ':::', '1::2::3', '12345::', 'a.b.c.d'])('is not %j', (text) => {
    expect(ip(text)).toBeDefined();
  });
});

describe('a range of addresses', () => {
  it('may have bits beyond its length', () => {
    expect([cidr('10.1.2.3/8'), cidr('2001:db8::1/64')]).toEqual([undefined, undefined]);
  });

  it.each(['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/-1', 'a/8'])('is not %j', (text) => {
    expect(cidr(text)).toBeDefined();
  });

  it('holds the addresses that share its first bits', () => {
    expect(isWithin(address('10.9.9.9'), range('10.0.0.0/8'))).toBe(true);
    expect(isWithin(address('11.0.0.0'), range('10.0.0.0/8'))).toBe(false);
    expect(isWithin(address('::1'), range('0.0.0.0/0'))).toBe(false);
    expect(isStrictSubset(range('10.1.0.0/16'), range('10.0.0.0/8'))).toBe(true);
    expect(isStrictSubset(range('10.0.0.0/8'), range('10.0.0.0/8'))).toBe(false);
  });

  it('begins where its other bits are all zero', () => {
    expect(extentOf(range('10.1.2.3/8'))).toEqual({ first: address('10.0.0.0'), size: 1n << 24n });
    expect(extentOf(range('fd00::1:2/112'))).toEqual({ first: address('fd00::1:0'), size: 1n << 16n });
    expect(extentOf(range('10.1.2.3/32'))).toEqual({ first: address('10.1.2.3'), size: 1n });
  });
});

it('tells a dual stack from two of a kind', () => {
  expect(isOnePerFamily([address('10.0.0.1'), address('::1')])).toBe(true);
  expect(isOnePerFamily([address('10.0.0.1'), address('10.0.0.2')])).toBe(false);
});

it.each(['0.0.0.0', '::', '127.0.0.1', '::1', '169.254.1.1', 'fe80::1', '224.0.0.1', 'ff02::1', 'x'])(
  '%s cannot be reached from elsewhere',
  (text) => {
    expect(nonSpecialIP(text)).toBeDefined();
  },
);

it.each(['10.0.0.1', '2001:db8::1', '225.0.0.1'])('%s can be reached from elsewhere', (text) => {
  expect(nonSpecialIP(text)).toBeUndefined();
});
