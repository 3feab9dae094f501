import { describe, expect, it } from 'vitest';
import { parseAddressRange } from '../../../meta/addresses.ts';
import { addressRow, firstAddress, formatRange, parseServiceRanges, portRow, setAside } from './service-ranges.ts';

const PORTS = '30000-32767';
const range = (text: string) => parseAddressRange(text) ?? expect.unreachable(text);

describe('ranges for services', () => {
  it.each([
    ['10.0.0.0/24', ['10.0.0.0/24']],
    ['10.1.2.3/16', ['10.1.0.0/16']],
    ['fd00::/108', ['fd00::/108']],
    ['10.0.0.0/24, fd00::/112', ['10.0.0.0/24', 'fd00::/112']],
  ])('%s', (text, expected) => {
    expect(parseServiceRanges(text, PORTS).addresses.map(formatRange)).toEqual(expected);
  });

  it.each(['', '10.0.0.0', '10.0.0.0/30', '10.0.0.0/8', 'fd00::/64', '10.0.0.0/24,10.0.1.0/24', '10.0.0.0/24,'])(
    'are not %j',
    (text) => {
      expect(() => parseServiceRanges(text, PORTS)).toThrow(/^the service address range/);
    },
  );

  it.each([
    ['30000-32767', 30000, 32767],
    ['30000+10', 30000, 30010],
    ['8080', 8080, 8080],
  ])('%s are ports', (text, first, last) => {
    expect(parseServiceRanges('10.0.0.0/24', text).ports).toEqual({ first, last });
  });

  it.each(['', '0', '-', '2-1', '1-65536', '65535+1', '1-', 'a-b'])('%j are no ports', (text) => {
    expect(() => parseServiceRanges('10.0.0.0/24', text)).toThrow(/^the service node port range/);
  });
});

describe('what there is to give', () => {
  it.each([
    ['10.0.0.0/24', 254, '10.0.0.1', '10.0.0.254'],
    ['10.0.0.0/29', 6, '10.0.0.1', '10.0.0.6'],
    ['fd00::/112', 65535, 'fd00::1', 'fd00::ffff'],
  ])('of %s are %i addresses from %s to %s', (text, size, first, last) => {
    const row = addressRow(range(text));
    expect([row.size, row.at(0), row.at(size - 1)]).toEqual([size, first, last]);
    expect([row.placeOf(first), row.placeOf(last)]).toEqual([0, size - 1]);
  });

  it('does not include the network, everybody, other networks or other families', () => {
    const row = addressRow(range('10.0.0.0/24'));
    for (const text of ['10.0.0.0', '10.0.0.255', '10.0.1.1', '9.255.255.255', '::1', 'None', '']) {
      expect(row.placeOf(text)).toBeUndefined();
    }
    expect(row.placeOf('10.0.0.009')).toBe(8);
  });

  it('of ports are all of them', () => {
    const row = portRow({ first: 10, last: 12 });
    expect([row.size, row.at(2), row.placeOf(9), row.placeOf(12), row.placeOf(13)]).toEqual([
      3,
      12,
      undefined,
      2,
      undefined,
    ]);
  });

  it('begins with the server itself', () => {
    expect(firstAddress(parseServiceRanges('fd00:1::/112,10.0.0.0/24', PORTS))).toBe('fd00:1::1');
  });

  it.each([
    [16, 0],
    [17, 16],
    [256, 16],
    [1024, 64],
    [65536, 256],
  ])('of %i, %i are set aside', (size, expected) => {
    expect(setAside(size, 16, 256)).toBe(expected);
  });
});
