import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectReference } from '../core/references.ts';

export const EndpointConditions = struct(
  'discovery.v1.EndpointConditions',
  {
    ready: f(
      1,
      bool().optional(),
      'Whether the endpoint takes traffic; unset counts as true. False for endpoints that are being shut down.',
    ),
    serving: f(
      2,
      bool().optional(),
      'Like ready, but also true while an endpoint that still passes its readiness checks is being shut down.',
    ),
    terminating: f(3, bool().optional(), 'Whether the endpoint is being shut down; unset counts as false.'),
  },
  { description: 'Whether traffic can go to an endpoint.' },
);
export type EndpointConditions = Infer<typeof EndpointConditions>;

export const ForZone = struct(
  'discovery.v1.ForZone',
  {
    name: f(1, string().required(), 'Name of the zone.'),
  },
  { description: 'A zone whose clients should use the endpoint.' },
);
export type ForZone = Infer<typeof ForZone>;

export const EndpointHints = struct(
  'discovery.v1.EndpointHints',
  {
    forZones: f(
      1,
      list(ForZone).atomicList(),
      'Zones whose clients should use the endpoint, to keep traffic near. At most 8.',
    ),
  },
  { description: 'Advice to proxies on whom an endpoint should serve.' },
);
export type EndpointHints = Infer<typeof EndpointHints>;

export const Endpoint = struct(
  'discovery.v1.Endpoint',
  {
    addresses: f(
      1,
      list(string()).required().set(),
      'Addresses of the endpoint, of the type that addressType says; from 1 to 100, all of the same backend. Clients use the first.',
    ),
    conditions: f(2, EndpointConditions, 'Whether traffic can go to the endpoint.'),
    hostname: f(
      3,
      string().optional(),
      'Host name of the endpoint, in lower case; endpoints that share one are interchangeable under that DNS name.',
    ),
    targetRef: f(4, ObjectReference.optional(), 'The object behind the endpoint, usually a pod.'),
    deprecatedTopology: f(
      5,
      map(string()),
      'Topology labels left over from the older version of this kind; read only, use nodeName and zone.',
    ),
    nodeName: f(6, string().optional(), 'Node that the endpoint runs on; local traffic policies use it.'),
    zone: f(7, string().optional(), 'Zone that the endpoint is in.'),
    hints: f(8, EndpointHints.optional(), 'Advice to proxies on whom the endpoint should serve.'),
  },
  { description: 'One backend of a service.' },
);
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct(
  'discovery.v1.EndpointPort',
  {
    name: f(
      1,
      string().optional().default(''),
      'Name of the port, unique within the slice: empty or the name of the port of the service.',
    ),
    protocol: f(2, string().optional().default('TCP'), 'TCP (the default), UDP or SCTP.'),
    port: f(3, int32().optional(), 'Port number. Unset: all ports.'),
    appProtocol: f(
      4,
      string().optional(),
      'Application protocol on the port: a registered name such as https, or one with the prefix of a domain.',
    ),
  },
  { description: 'Port of all endpoints of a slice.', topology: { mapType: 'atomic' } },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSlice = kind(
  'discovery.v1.EndpointSlice',
  {
    metadata: f(1, ObjectMeta),
    addressType: f(
      4,
      string().required().oneOf('FQDN', 'IPv4', 'IPv6'),
      'What all addresses are: IPv4, IPv6 or FQDN. Cannot be changed.',
    ),
    endpoints: f(2, list(Endpoint).required().atomicList(), 'The backends; at most 1000.'),
    ports: f(
      3,
      list(EndpointPort).always().atomicList(),
      'Ports that every endpoint listens on, at most 100. Empty: no ports are defined.',
    ),
  },
  {
    description: 'Some of the backends of a service, with the ports they listen on; a service can have several slices.',
  },
);
export type EndpointSlice = Infer<typeof EndpointSlice>;
