import { Condition } from '../../meta/condition.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { bool, bytes, int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const ServiceReference = struct(
  'apiregistration.v1.ServiceReference',
  {
    namespace: f(1, string(), 'Namespace of the service.'),
    name: f(2, string(), 'Name of the service.'),
    port: f(3, int32().optional().default(443), 'Port of the service that speaks HTTPS. Default 443.'),
  },
  { description: 'Service that an extension API server runs behind.' },
);
export type ServiceReference = Infer<typeof ServiceReference>;

export const APIServiceSpec = struct(
  'apiregistration.v1.APIServiceSpec',
  {
    service: f(
      1,
      ServiceReference.optional(),
      'Service that answers the requests. Unset: this server answers them itself.',
    ),
    group: f(2, string(), 'API group that is served.'),
    version: f(3, string(), 'Version of the group that is served.'),
    insecureSkipTLSVerify: f(
      4,
      bool(),
      'Whether the certificate of the service is not checked; excludes caBundle. Do not use it in earnest.',
    ),
    caBundle: f(
      5,
      bytes().atomicList(),
      'Base64 of the PEM certificates that the certificate of the service is checked with. Unset: those that the system of the server trusts.',
    ),
    groupPriorityMinimum: f(
      7,
      int32().required(),
      'Place of the group in discovery: higher comes first, from 1 to 20000; the highest of its versions counts.',
    ),
    versionPriority: f(
      8,
      int32().required(),
      'Place of the version within its group: higher comes first, from 1 to 1000; equal ones are ordered by name.',
    ),
  },
  { description: 'Where requests for a version of an API group go, and its place in discovery.' },
);
export type APIServiceSpec = Infer<typeof APIServiceSpec>;

export const APIServiceCondition = struct(
  'apiregistration.v1.APIServiceCondition',
  describedLike(Condition, {
    type: f(1, string().required(), 'Available: whether the service can be reached and answers.'),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of an APIService.' },
);
export type APIServiceCondition = Infer<typeof APIServiceCondition>;

export const APIServiceStatus = struct(
  'apiregistration.v1.APIServiceStatus',
  {
    conditions: f(
      1,
      list(APIServiceCondition).mapBy('type').mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of an APIService.' },
);
export type APIServiceStatus = Infer<typeof APIServiceStatus>;

export const APIService = kind(
  'apiregistration.v1.APIService',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, APIServiceSpec),
    status: f(3, APIServiceStatus),
  },
  { description: 'Registers who answers for one version of an API group. Its name must be <version>.<group>.' },
);
export type APIService = Infer<typeof APIService>;
