import { ApiError, badRequest } from '../../api/errors.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { ServiceProxyOptions } from '../../kinds/core/proxy-options.ts';
import type { EndpointAddress, EndpointSubset, Endpoints } from '../../kinds/core/service/endpoints.ts';
import type { Service } from '../../kinds/core/service/service.ts';
import type { Dialer } from '../../outbound/dialer.ts';
import type { NetworkAddress } from '../../outbound/network.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ConnectCall, Connector, Whereabouts } from './connector.ts';
import type { Forwarder } from './forwarder.ts';
import { INSIDE, proxy } from './proxy.ts';
import { storedObject } from './stored-object.ts';
import { readTargetId } from './target-id.ts';

/** Passes requests on to one of the ready pods behind a service, chosen at random. */
export const serviceProxy = (
  forwarder: Forwarder,
  dialer: Dialer,
  runtime: Runtime,
): Connector<ServiceProxyOptions> => ({
  group: '',
  plural: 'services',
  subresource: 'proxy',
  options: { version: 'v1', kind: 'ServiceProxyOptions', schema: ServiceProxyOptions },
  takesPath: true,
  async connect(call) {
    const { name: id } = call.info;
    const target = readTargetId(id);
    if (!target) throw badRequest(`invalid service request ${JSON.stringify(id)}`);
    const { scheme, name } = target;
    const port = await portName(call, name, target.port);
    const place = await readyPlace(call, name, port, runtime);
    if (!place) throw unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
    if (!dialer.allows(place.host)) throw badRequest('address not allowed');
    return proxy(forwarder, call, { ...INSIDE, scheme, ...place });
  },
});

const unavailable = (message: string): ApiError => new ApiError('ServiceUnavailable', message);

/** Endpoints know ports by name; a number is one of the service's own. */
async function portName(call: ConnectCall, name: string, wanted: string): Promise<string> {
  if (!/^\d+$/.test(wanted)) return wanted;
  const { spec } = await storedObject<Service>(call, 'services', call.info.namespace, name);
  const found = spec.ports?.find(({ port }) => port === Number(wanted));
  if (!found) throw unavailable(`no service port ${wanted} found for service ${JSON.stringify(name)}`);
  return found.name ?? '';
}

async function readyPlace(
  call: ConnectCall,
  name: string,
  port: string,
  runtime: Runtime,
): Promise<NetworkAddress | undefined> {
  const { subsets = [] } = await storedObject<Endpoints>(call, 'endpoints', call.info.namespace, name);
  for (const subset of fromRandom(subsets, runtime)) {
    const place = await placeIn(call, subset, port, runtime);
    if (place) return place;
  }
  return undefined;
}

async function placeIn(
  objects: Whereabouts,
  { addresses = [], ports = [] }: EndpointSubset,
  wanted: string,
  runtime: Runtime,
): Promise<NetworkAddress | undefined> {
  const port = ports.find(({ name = '' }) => name === wanted);
  if (!port) return undefined;
  for (const address of fromRandom(addresses, runtime)) {
    if (await isOfPod(objects, address)) return { host: address.ip, port: port.port };
  }
  return undefined;
}

/** All of them, in their order, beginning anywhere. */
function fromRandom<T>(items: readonly T[], runtime: Runtime): T[] {
  const start = Math.floor(runtime.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/**
 * Whoever may write endpoints could name any address there, and reach through the server what they cannot reach
 * themselves. So an address counts only if it is that of the pod it claims to be of.
 */
async function isOfPod(objects: Whereabouts, { ip, targetRef }: EndpointAddress): Promise<boolean> {
  const { kind, namespace = '', name = '' } = targetRef ?? {};
  if (kind !== 'Pod') return false;
  try {
    const { status } = await storedObject<Pod>(objects, 'pods', namespace, name);
    return status.podIP === ip || (status.podIPs ?? []).some((one) => one.ip === ip);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
