import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, kind, list, struct } from '../../schema/schema.ts';
import { TypedLocalObjectReference } from '../core/references.ts';
import { LoadBalancerStatus } from '../core/service/load-balancer.ts';

export const ServiceBackendPort = struct(
  'networking.v1.ServiceBackendPort',
  {
    name: f(1, string(), 'Name of the port. Excludes number.'),
    number: f(2, int32(), 'Number of the port. Excludes name.'),
  },
  { description: 'Port of a service, by name or by number.' },
);
export type ServiceBackendPort = Infer<typeof ServiceBackendPort>;

export const IngressServiceBackend = struct(
  'networking.v1.IngressServiceBackend',
  {
    name: f(1, string().required(), 'Name of the service, in the namespace of the ingress.'),
    port: f(2, ServiceBackendPort, 'Port of the service, by name or by number.'),
  },
  { description: 'Service that receives requests.' },
);
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct(
  'networking.v1.IngressBackend',
  {
    service: f(4, IngressServiceBackend.optional(), 'Service that receives the requests. Excludes resource.'),
    resource: f(
      3,
      TypedLocalObjectReference.optional(),
      'Object in the same namespace that receives the requests, such as a bucket; the controller must know its kind. Excludes service.',
    ),
  },
  { description: 'Where requests go: either a service or another object.' },
);
export type IngressBackend = Infer<typeof IngressBackend>;

export const HTTPIngressPath = struct(
  'networking.v1.HTTPIngressPath',
  {
    path: f(
      1,
      string(),
      'Path to match, beginning with /. Required when pathType is Exact or Prefix; of several matches, the longest counts.',
    ),
    pathType: f(
      3,
      string().optional().required(),
      'Exact matches the path alone, Prefix also what is below it, element by element; ImplementationSpecific leaves it to the controller.',
    ),
    backend: f(2, IngressBackend.required(), 'Where matching requests go.'),
  },
  { description: 'A path, and where requests for it go.' },
);
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

export const HTTPIngressRuleValue = struct(
  'networking.v1.HTTPIngressRuleValue',
  {
    paths: f(1, list(HTTPIngressPath).required().atomicList(), 'The paths; at least one.'),
  },
  { description: 'Paths of a host, and where requests for them go.' },
);
export type HTTPIngressRuleValue = Infer<typeof HTTPIngressRuleValue>;

export const IngressRuleValue = struct(
  'networking.v1.IngressRuleValue',
  {
    http: f(
      1,
      HTTPIngressRuleValue.optional(),
      'Where HTTP requests go, by path. Unset: all requests of the host go to the default backend.',
    ),
  },
  { description: 'What a rule does with the requests of its host.' },
);
export type IngressRuleValue = Infer<typeof IngressRuleValue>;

export const IngressRule = struct(
  'networking.v1.IngressRule',
  {
    host: f(
      1,
      string(),
      'Host name to match, without a port; *.example.com matches one label in place of the star. Unset: all hosts.',
    ),
    ingressRuleValue: inline(2, IngressRuleValue),
  },
  { description: 'A host, and where requests for it go.' },
);
export type IngressRule = Infer<typeof IngressRule>;

export const IngressTLS = struct(
  'networking.v1.IngressTLS',
  {
    hosts: f(
      1,
      list(string()).atomicList(),
      'Hosts that the certificate is for; they must be among its names. Unset: decided by the controller.',
    ),
    secretName: f(
      2,
      string(),
      'Secret in the same namespace with certificate and key. Unset: the connection is chosen by host and passed on as it is.',
    ),
  },
  { description: 'Certificate for some hosts.' },
);
export type IngressTLS = Infer<typeof IngressTLS>;

export const IngressSpec = struct(
  'networking.v1.IngressSpec',
  {
    ingressClassName: f(
      4,
      string().optional(),
      'Name of the IngressClass whose controller serves the ingress. Unset: the default class, if there is one.',
    ),
    defaultBackend: f(
      1,
      IngressBackend.optional(),
      'Where requests go that no rule matches; required when there are no rules. Unset: decided by the controller.',
    ),
    tls: f(2, list(IngressTLS).atomicList(), 'Certificates by host; all on port 443.'),
    rules: f(
      3,
      list(IngressRule).atomicList(),
      'Where requests go, by host and path. Empty: all to the default backend.',
    ),
  },
  { description: 'Desired state of an Ingress: where requests go, and the certificates.' },
);
export type IngressSpec = Infer<typeof IngressSpec>;

export const IngressStatus = struct(
  'networking.v1.IngressStatus',
  {
    loadBalancer: f(1, LoadBalancerStatus, 'Addresses under which the ingress can be reached.'),
  },
  { description: 'What was last observed of an Ingress.' },
);
export type IngressStatus = Infer<typeof IngressStatus>;

export const Ingress = kind(
  'networking.v1.Ingress',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, IngressSpec),
    status: f(3, IngressStatus),
  },
  { description: 'Routes HTTP requests from outside the cluster to services, by host and path.' },
);
export type Ingress = Infer<typeof Ingress>;
