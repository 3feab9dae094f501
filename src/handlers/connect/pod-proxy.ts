import { badRequest } from '../../api/errors.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { PodProxyOptions } from '../../kinds/core/proxy-options.ts';
import type { Dialer } from '../../outbound/dialer.ts';
import type { Connector } from './connector.ts';
import type { Forwarder } from './forwarder.ts';
import { INSIDE, proxy } from './proxy.ts';
import { storedObject } from './stored-object.ts';
import { portNumber, readTargetId, usualPort } from './target-id.ts';

/** Passes requests on to a pod: at the port that is named, else at the first it declares, else at that of the scheme. */
export const podProxy = (forwarder: Forwarder, dialer: Dialer): Connector<PodProxyOptions> => ({
  group: '',
  plural: 'pods',
  subresource: 'proxy',
  options: { version: 'v1', kind: 'PodProxyOptions', schema: PodProxyOptions },
  takesPath: true,
  async connect(call) {
    const { namespace, name: id } = call.info;
    const target = readTargetId(id);
    if (!target) throw badRequest(`invalid pod request ${JSON.stringify(id)}`);
    const { scheme, name } = target;
    const pod = await storedObject<Pod>(call, 'pods', namespace, name);
    const port = target.port === '' ? (firstPort(pod) ?? usualPort(scheme)) : portNumber(target.port);
    if (port === undefined) throw badRequest(`invalid pod request ${JSON.stringify(id)}`);
    const host = addressOf(pod);
    if (!dialer.allows(host)) throw badRequest('address not allowed');
    return proxy(forwarder, call, { ...INSIDE, scheme, host, port });
  },
});

const addressOf = ({ status }: Pod): string => status.podIPs?.[0]?.ip ?? status.podIP ?? '';

const firstPort = ({ spec }: Pod): number | undefined =>
  spec.containers?.flatMap(({ ports = [] }) => ports).at(0)?.containerPort;
