import { ApiError } from '../../api/errors.ts';
import type { Node } from '../../kinds/core/node/node.ts';
import type { NetworkAddress } from '../../outbound/network.ts';
import type { OutboundTrust } from '../../outbound/outbound.ts';
import type { Whereabouts } from './connector.ts';
import { storedObject } from './stored-object.ts';

/** How the service that runs on every node is reached. */
export interface NodeAccess {
  /** Types of addresses, the preferred one first. */
  readonly addressTypes: readonly string[];
  readonly trust: OutboundTrust;
  readonly connectTimeoutMs: number;
}

/** Where nodes listen that do not say. */
const USUAL_PORT = 10_250;

/** Where the service of a node listens. Throws 404 for a node that is not there, 500 for one that cannot be reached. */
export async function placeOfNode(
  objects: Whereabouts,
  { addressTypes }: NodeAccess,
  name: string,
): Promise<NetworkAddress> {
  const { status } = await storedObject<Node>(objects, 'nodes', '', name);
  const addresses = status.addresses ?? [];
  const port = status.daemonEndpoints.kubeletEndpoint.Port || USUAL_PORT;
  for (const wanted of addressTypes) {
    const found = addresses.find(({ type }) => type === wanted);
    if (found) return { host: found.address, port };
  }
  const known = addresses.map(({ type, address }) => `${type} ${address}`).join(', ');
  throw new ApiError('', `no preferred addresses found; known addresses: [${known}]`);
}
