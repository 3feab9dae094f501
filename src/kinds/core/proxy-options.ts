import type { Verb } from '../../registry/resource-type.ts';
import { string } from '../../schema/scalars.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';

/** Every method can be passed on, so every verb of a single object is there. */
export const PROXY_VERBS: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

export const NodeProxyOptions = kind(
  'core.v1.NodeProxyOptions',
  {
    path: f(1, string(), 'Path to ask for there; / when unset.'),
  },
  { description: 'What is asked of a node through the proxy. Sent as the query of the request.' },
);
export type NodeProxyOptions = Infer<typeof NodeProxyOptions>;

export const PodProxyOptions = kind(
  'core.v1.PodProxyOptions',
  {
    path: f(1, string(), 'Path to ask for there; / when unset.'),
  },
  { description: 'What is asked of a pod through the proxy. Sent as the query of the request.' },
);
export type PodProxyOptions = Infer<typeof PodProxyOptions>;

export const ServiceProxyOptions = kind(
  'core.v1.ServiceProxyOptions',
  {
    path: f(1, string(), 'Path to ask for there; / when unset.'),
  },
  { description: 'What is asked of a service through the proxy. Sent as the query of the request.' },
);
export type ServiceProxyOptions = Infer<typeof ServiceProxyOptions>;
