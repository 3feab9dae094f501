import type { NetworkInterfaceInfo } from 'node:os';
import { nonSpecialIP, parseAddress } from '../meta/addresses.ts';

/** The addresses of this machine, by name of the interface, as node:os tells them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The address that others are told the server is at: the one it listens on, or, where that means nothing to them, one of
 * the machine's, of the same family if there is one. Undefined when the machine cannot be reached at all.
 */
export function advertisedAddress(bindAddress: string, interfaces: Interfaces): string | undefined {
  if (nonSpecialIP(bindAddress) === undefined) return bindAddress;
  const family = parseAddress(bindAddress)?.family;
  const own = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => nonSpecialIP(address) === undefined);
  return own.find((address) => parseAddress(address)?.family === family) ?? own[0];
}
