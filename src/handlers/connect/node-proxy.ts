import { badRequest } from '../../api/errors.ts';
import { NodeProxyOptions } from '../../kinds/core/proxy-options.ts';
import type { Connector } from './connector.ts';
import type { Forwarder } from './forwarder.ts';
import { type NodeAccess, placeOfNode } from './node-place.ts';
import { INSIDE, proxy } from './proxy.ts';
import { portNumber, readTargetId } from './target-id.ts';

/** Passes requests on to a node: to its own service, with the credentials for that, or to another port, without. */
export const nodeProxy = (forwarder: Forwarder, access: NodeAccess): Connector<NodeProxyOptions> => ({
  group: '',
  plural: 'nodes',
  subresource: 'proxy',
  options: { version: 'v1', kind: 'NodeProxyOptions', schema: NodeProxyOptions },
  takesPath: true,
  async connect(call) {
    const { name: id } = call.info;
    const target = readTargetId(id);
    if (!target) throw badRequest(`invalid node request ${JSON.stringify(id)}`);
    const place = await placeOfNode(call, access, target.name);
    const { trust, connectTimeoutMs } = access;
    if (target.port === '' || target.port === String(place.port)) {
      return proxy(forwarder, call, { ...place, scheme: 'https', trust, connectTimeoutMs, guarded: false });
    }
    const port = portNumber(target.port);
    if (port === undefined) throw badRequest(`invalid node request ${JSON.stringify(id)}`);
    return proxy(forwarder, call, { ...INSIDE, scheme: target.scheme, host: place.host, port });
  },
});
