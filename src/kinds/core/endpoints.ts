import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { ObjectReference } from './references.ts';

export const EndpointAddress = struct(
  'core.v1.EndpointAddress',
  {
    ip: f(1, string().required()),
    hostname: f(3, string()),
    nodeName: f(4, string().optional()),
    targetRef: f(2, ObjectReference.optional()),
  },
  { topology: { mapType: 'atomic' } },
);
export type EndpointAddress = Infer<typeof EndpointAddress>;

export const EndpointPort = struct(
  'core.v1.EndpointPort',
  {
    name: f(1, string()),
    port: f(2, int32().required()),
    protocol: f(3, string().oneOf('SCTP', 'TCP', 'UDP').default('TCP')),
    appProtocol: f(4, string().optional()),
  },
  { topology: { mapType: 'atomic' } },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSubset = struct('core.v1.EndpointSubset', {
  addresses: f(1, list(EndpointAddress), 'Ready for traffic.'),
  notReadyAddresses: f(2, list(EndpointAddress), 'Not ready yet.'),
  ports: f(3, list(EndpointPort), 'Where they listen.'),
});
export type EndpointSubset = Infer<typeof EndpointSubset>;

export const Endpoints = kind(
  'core.v1.Endpoints',
  {
    metadata: f(1, ObjectMeta),
    subsets: f(2, list(EndpointSubset)),
  },
  { description: 'The addresses behind a service, in one object.' },
);
export type Endpoints = Infer<typeof Endpoints>;
