import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectReference } from '../core/references.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const EndpointConditions = struct('discovery.v1.EndpointConditions', {
  ready: f(1, bool().optional()),
  serving: f(2, bool().optional()),
  terminating: f(3, bool().optional()),
});
export type EndpointConditions = Infer<typeof EndpointConditions>;

export const ForZone = struct('discovery.v1.ForZone', {
  name: f(1, string().required()),
});
export type ForZone = Infer<typeof ForZone>;

export const EndpointHints = struct('discovery.v1.EndpointHints', {
  forZones: f(1, list(ForZone).atomicList()),
});
export type EndpointHints = Infer<typeof EndpointHints>;

export const Endpoint = struct('discovery.v1.Endpoint', {
  addresses: f(1, list(string()).required().set()),
  conditions: f(2, EndpointConditions),
  hostname: f(3, string().optional()),
  targetRef: f(4, ObjectReference.optional()),
  deprecatedTopology: f(5, map(string())),
  nodeName: f(6, string().optional()),
  zone: f(7, string().optional()),
  hints: f(8, EndpointHints.optional()),
});
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct(
  'discovery.v1.EndpointPort',
  {
    name: f(1, string().optional().default('')),
    protocol: f(2, string().optional().default('TCP')),
    port: f(3, int32().optional()),
    appProtocol: f(4, string().optional()),
  },
  { topology: { mapType: 'atomic' } },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSlice = kind(
  'discovery.v1.EndpointSlice',
  {
    metadata: f(1, ObjectMeta),
    addressType: f(4, string().required().oneOf('FQDN', 'IPv4', 'IPv6'), 'What the addresses are.'),
    endpoints: f(2, list(Endpoint).required().atomicList(), 'The addresses, and what is known of each.'),
    ports: f(3, list(EndpointPort).always().atomicList(), 'Where they listen.'),
  },
  { description: 'Some of the addresses behind a service.' },
);
export type EndpointSlice = Infer<typeof EndpointSlice>;
