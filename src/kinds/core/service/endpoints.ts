import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectReference } from '../references.ts';

export const EndpointAddress = struct(
  'core.v1.EndpointAddress',
  {
    ip: f(1, string().required(), 'IPv4 or IPv6 address. Loopback, link-local and multicast addresses are refused.'),
    hostname: f(
      3,
      string(),
      'Host name of the endpoint, a DNS label; it becomes a DNS name below that of the service.',
    ),
    nodeName: f(4, string().optional(), 'Node that the endpoint is on. Lets traffic be kept on one node.'),
    targetRef: f(2, ObjectReference.optional(), 'Object that stands behind the address, usually a pod.'),
  },
  { description: 'One address behind a service, and what it belongs to.', topology: { mapType: 'atomic' } },
);
export type EndpointAddress = Infer<typeof EndpointAddress>;

export const EndpointPort = struct(
  'core.v1.EndpointPort',
  {
    name: f(
      1,
      string(),
      'Name of the port; must be that of the port of the service. Optional when there is only one port.',
    ),
    port: f(2, int32().required(), 'Number of the port, from 1 to 65535.'),
    protocol: f(3, string().oneOf('SCTP', 'TCP', 'UDP').default('TCP'), 'TCP, UDP or SCTP; TCP by default.'),
    appProtocol: f(
      4,
      string().optional(),
      'Protocol spoken over the port, such as http or example.com/own, for proxies that treat protocols differently.',
    ),
  },
  { description: 'A port that the addresses of a subset listen on.', topology: { mapType: 'atomic' } },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSubset = struct(
  'core.v1.EndpointSubset',
  {
    addresses: f(1, list(EndpointAddress), 'Addresses that are ready: traffic is sent to them.'),
    notReadyAddresses: f(
      2,
      list(EndpointAddress),
      'Addresses that get no traffic now: they are starting, or their readiness probe fails.',
    ),
    ports: f(3, list(EndpointPort), 'Ports that every address of this subset listens on.'),
  },
  {
    description: 'Addresses that all listen on the same ports. Every address combined with every port is an endpoint.',
  },
);
export type EndpointSubset = Infer<typeof EndpointSubset>;

export const Endpoints = kind(
  'core.v1.Endpoints',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata; the name is that of the service.'),
    subsets: f(
      2,
      list(EndpointSubset),
      'Groups of addresses with the same ports. One address may be in several groups, ready for some ports and not for others.',
    ),
  },
  {
    description:
      'All addresses and ports behind the service of the same name, in one object. EndpointSlice is its successor.',
  },
);
export type Endpoints = Infer<typeof Endpoints>;
