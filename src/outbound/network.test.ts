import { describe, expect, it } from 'vitest';
import { isUnicastAddress } from './network.ts';

describe('an address to pass requests on to', () => {
  it.each(['10.1.2.3', '192.168.0.1', '8.8.8.8', 'fd00::1', '2001:db8::5'])('may be %s', (address) => {
    expect(isUnicastAddress(address)).toBe(true);
  });

  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', 'fe80::1%eth0', 'fd00::1%1'],
    ...['', 'localhost', '127.1', '2130706433', '010.0.0.1'],
  ])('is not %j', (address) => {
    expect(isUnicastAddress(address)).toBe(false);
  });
});
