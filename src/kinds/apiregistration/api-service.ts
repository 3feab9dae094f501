import { bool, bytes, int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ServiceReference = struct('apiregistration.v1.ServiceReference', {
  namespace: f(1, string()),
  name: f(2, string()),
  port: f(3, int32().optional().default(443)),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const APIServiceSpec = struct('apiregistration.v1.APIServiceSpec', {
  service: f(1, ServiceReference.optional()),
  group: f(2, string()),
  version: f(3, string()),
  insecureSkipTLSVerify: f(4, bool()),
  caBundle: f(5, bytes().atomicList()),
  groupPriorityMinimum: f(7, int32().required()),
  versionPriority: f(8, int32().required()),
});
export type APIServiceSpec = Infer<typeof APIServiceSpec>;

export const APIServiceCondition = struct('apiregistration.v1.APIServiceCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type APIServiceCondition = Infer<typeof APIServiceCondition>;

export const APIServiceStatus = struct('apiregistration.v1.APIServiceStatus', {
  conditions: f(1, list(APIServiceCondition).mapBy('type').mergeBy('type')),
});
export type APIServiceStatus = Infer<typeof APIServiceStatus>;

export const APIService = kind(
  'apiregistration.v1.APIService',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, APIServiceSpec),
    status: f(3, APIServiceStatus),
  },
  { description: 'Says which server answers for an API group version.' },
);
export type APIService = Infer<typeof APIService>;
