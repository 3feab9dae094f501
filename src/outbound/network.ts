import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A place on a network: a name or an IP address (without brackets), and a port. */
export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

/** How this process reaches pods, services and nodes. */
export interface ClusterNetwork {
  /**
   * Whether a request may be passed on to this IP address. It is asked before anything is sent, about pods, services and
   * ports of nodes other than that of the node's own service.
   */
  allows(address: string): boolean;
  /** Where to connect to for a place in the cluster, for those who stand in for one. */
  locate(place: NetworkAddress): NetworkAddress;
}

/** What is not the address of one machine among others: this machine itself, this link, everyone, no one. */
const NOT_ALLOWED = new BlockList();
NOT_ALLOWED.addSubnet('0.0.0.0', 32);
NOT_ALLOWED.addSubnet('127.0.0.0', 8);
NOT_ALLOWED.addSubnet('169.254.0.0', 16);
NOT_ALLOWED.addSubnet('224.0.0.0', 4);
NOT_ALLOWED.addAddress('255.255.255.255');
NOT_ALLOWED.addAddress('::', 'ipv6');
NOT_ALLOWED.addAddress('::1', 'ipv6');
NOT_ALLOWED.addSubnet('fe80::', 10, 'ipv6');
NOT_ALLOWED.addSubnet('ff00::', 8, 'ipv6');

const FAMILIES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };

/** Whether it is the address of a machine that others reach too. Rules for version 4 hold for its spellings in version 6. */
export function isUnicastAddress(address: string): boolean {
  const family = FAMILIES[isIP(address)];
  return family !== undefined && !address.includes('%') && !NOT_ALLOWED.check(address, family);
}

/** Whether this machine itself has the address, in whatever spelling. */
function isOwnAddress(address: string): boolean {
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    own.addAddress(one.address.split('%', 1)[0] ?? '', one.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own.check(address, FAMILIES[isIP(address)] ?? 'ipv4');
}

/** The addresses are what they say, and none of this machine or link is reached through the server. */
export const CLUSTER_NETWORK: ClusterNetwork = {
  allows: (address) => isUnicastAddress(address) && !isOwnAddress(address),
  locate: (place) => place,
};
