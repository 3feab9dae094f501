import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, kind, list, struct } from '../../schema/schema.ts';
import { LoadBalancerStatus } from '../core/load-balancer.ts';
import { TypedLocalObjectReference } from '../core/references.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ServiceBackendPort = struct('networking.v1.ServiceBackendPort', {
  name: f(1, string()),
  number: f(2, int32()),
});
export type ServiceBackendPort = Infer<typeof ServiceBackendPort>;

export const IngressServiceBackend = struct('networking.v1.IngressServiceBackend', {
  name: f(1, string().required()),
  port: f(2, ServiceBackendPort),
});
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct('networking.v1.IngressBackend', {
  service: f(4, IngressServiceBackend.optional()),
  resource: f(3, TypedLocalObjectReference.optional()),
});
export type IngressBackend = Infer<typeof IngressBackend>;

export const HTTPIngressPath = struct('networking.v1.HTTPIngressPath', {
  path: f(1, string()),
  pathType: f(3, string().optional().required()),
  backend: f(2, IngressBackend.required()),
});
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

export const HTTPIngressRuleValue = struct('networking.v1.HTTPIngressRuleValue', {
  paths: f(1, list(HTTPIngressPath).required().atomicList()),
});
export type HTTPIngressRuleValue = Infer<typeof HTTPIngressRuleValue>;

export const IngressRuleValue = struct('networking.v1.IngressRuleValue', {
  http: f(1, HTTPIngressRuleValue.optional()),
});
export type IngressRuleValue = Infer<typeof IngressRuleValue>;

export const IngressRule = struct('networking.v1.IngressRule', {
  host: f(1, string()),
  ingressRuleValue: inline(2, IngressRuleValue),
});
export type IngressRule = Infer<typeof IngressRule>;

export const IngressTLS = struct('networking.v1.IngressTLS', {
  hosts: f(1, list(string()).atomicList()),
  secretName: f(2, string()),
});
export type IngressTLS = Infer<typeof IngressTLS>;

export const IngressSpec = struct('networking.v1.IngressSpec', {
  ingressClassName: f(4, string().optional(), 'Who serves it.'),
  defaultBackend: f(1, IngressBackend.optional(), 'Where requests go that no rule matches.'),
  tls: f(2, list(IngressTLS).atomicList(), 'Certificates by host.'),
  rules: f(3, list(IngressRule).atomicList(), 'Where requests go, by host and path.'),
});
export type IngressSpec = Infer<typeof IngressSpec>;

export const IngressStatus = struct('networking.v1.IngressStatus', {
  loadBalancer: f(1, LoadBalancerStatus),
});
export type IngressStatus = Infer<typeof IngressStatus>;

export const Ingress = kind(
  'networking.v1.Ingress',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, IngressSpec),
    status: f(3, IngressStatus),
  },
  { description: 'Leads HTTP requests from outside to services, by host and path.' },
);
export type Ingress = Infer<typeof Ingress>;
