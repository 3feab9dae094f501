import type { Format } from './formats.ts';

/** An address as a number of 32 or 128 bits. An IPv4 address written the IPv6 way counts as IPv4. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** The addresses that share the first `length` bits with `address`. */
export interface AddressRange {
  readonly address: Address;
  readonly length: number;
}

const OCTETS = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/;

/** Leading zeros are tolerated, and do not make a number octal. */
function parseIPv4(text: string): bigint | undefined {
  const octets = OCTETS.exec(text)?.slice(1).map(Number);
  if (!octets || octets.some((octet) => octet > 255)) return undefined;
  return BigInt(octets.reduce((value, octet) => value * 256 + octet, 0));
}

/** The 16-bit groups of one side of `::`; the last may be two groups written as an IPv4 address. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    const embedded = at === parts.length - 1 && part.includes('.') ? parseIPv4(part) : undefined;
    if (embedded !== undefined) groups.push(Number(embedded >> 16n), Number(embedded & 0xffffn));
    else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

const GROUPS = 8;
const MAPPED = 0xffffn;

function parseIPv6(text: string): Address | undefined {
  const gap = text.indexOf('::');
  const head = parseGroups(gap < 0 ? text : text.slice(0, gap));
  const tail = parseGroups(gap < 0 ? '' : text.slice(gap + 2));
  if (!head || !tail) return undefined;
  const missing = GROUPS - head.length - tail.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return value >> 32n === MAPPED ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

/** Longer than any address, however many zeros its numbers begin with. */
const LONGEST = 100;

/** Undefined when the text is no address. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > LONGEST) return undefined;
  if (text.includes(':')) return parseIPv6(text);
  const value = parseIPv4(text);
  return value === undefined ? undefined : { family: 4, value };
}

/** The one spelling of an address: digits without needless zeros, the longest row of zero groups left out. */
export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: GROUPS }, (_, at) => Number((value >> BigInt(16 * (GROUPS - 1 - at))) & 0xffffn));
  const { from, length } = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

/** The first of the longest rows. */
function longestZeros(groups: readonly number[]): { readonly from: number; readonly length: number } {
  let longest = { from: 0, length: 0 };
  let length = 0;
  groups.forEach((group, at) => {
    length = group === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { from: at + 1 - length, length };
  });
  return longest;
}

const bits = ({ family }: Address): number => (family === 4 ? 32 : 128);

/** `address/length`, or undefined. Bits beyond the length may be set. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : parseAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (!address || !/^\d{1,3}$/.test(digits)) return undefined;
  const length = Number(digits);
  return length <= bits(address) ? { address, length } : undefined;
}

const networkOf = (address: Address, length: number): bigint => address.value >> BigInt(bits(address) - length);

export const isWithin = (address: Address, range: AddressRange): boolean =>
  address.family === range.address.family &&
  networkOf(address, range.length) === networkOf(range.address, range.length);

/** The address that all of the range begin with, and how many there are. */
export function extentOf({ address, length }: AddressRange): { readonly first: Address; readonly size: bigint } {
  const free = BigInt(bits(address) - length);
  const first = { family: address.family, value: (address.value >> free) << free };
  return { first, size: 1n << free };
}

/** Whether every address of `inner` is in `outer`, and `outer` has others besides. */
export const isStrictSubset = (inner: AddressRange, outer: AddressRange): boolean =>
  inner.length > outer.length && isWithin(inner.address, outer);

/** At most one of each family, which also says at most two. */
export const isOnePerFamily = (addresses: readonly Address[]): boolean =>
  new Set(addresses.map(({ family }) => family)).size === addresses.length;

export const ip: Format = (value) =>
  parseAddress(value) ? undefined : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

export const ipv4: Format = (value) => (parseAddress(value)?.family === 4 ? undefined : 'must be a valid IPv4 address');

export const ipv6: Format = (value) => (parseAddress(value)?.family === 6 ? undefined : 'must be a valid IPv6 address');

export const cidr: Format = (value) =>
  parseAddressRange(value) ? undefined : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function range(text: string): AddressRange {
  const parsed = parseAddressRange(text);
  if (!parsed) throw new TypeError(`no address range: ${text}`);
  return parsed;
}

const LOOPBACK = [range('127.0.0.0/8'), range('::1/128')];
const LINK_LOCAL = [range('169.254.0.0/16'), range('fe80::/10')];
const LINK_LOCAL_MULTICAST = [range('224.0.0.0/24'), range('ff02::/16')];

/** An address that other machines can be reached by: not unspecified, not of this machine, not of this link. */
export function nonSpecialIP(value: string): string | undefined {
  const address = parseAddress(value);
  if (!address) return 'must be a valid IP address';
  const among = (ranges: readonly AddressRange[]): boolean => ranges.some((one) => isWithin(address, one));
  if (address.value === 0n) return `may not be unspecified (${value})`;
  if (among(LOOPBACK)) return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (among(LINK_LOCAL)) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  return among(LINK_LOCAL_MULTICAST)
    ? 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'
    : undefined;
}
