import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { advertisedAddress } from './advertised-address.ts';

const at = (address: string): NetworkInterfaceInfo => {
  const rest = { address, netmask: '', mac: '', internal: false, cidr: null };
  return address.includes(':') ? { ...rest, family: 'IPv6', scopeid: 0 } : { ...rest, family: 'IPv4' };
};
const machine = {
  lo: [at('127.0.0.1'), at('::1')],
  eth0: [at('fe80::1'), at('2001:db8::5'), at('192.0.2.5')],
};

it.each([
  ['198.51.100.1', '198.51.100.1'],
  ['0.0.0.0', '192.0.2.5'],
  ['127.0.0.1', '192.0.2.5'],
  ['::', '2001:db8::5'],
  ['localhost', '2001:db8::5'],
])('a server that listens on %s is told to be at %s', (bound, expected) => {
  expect(advertisedAddress(bound, machine)).toBe(expected);
});

it('a machine without a network is nowhere', () => {
  expect(advertisedAddress('127.0.0.1', { lo: machine.lo })).toBeUndefined();
});
