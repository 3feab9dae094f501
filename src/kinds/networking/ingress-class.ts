import { ObjectMeta } from '../../meta/object-meta.ts';
import { string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';

export const IngressClassParametersReference = struct(
  'networking.v1.IngressClassParametersReference',
  {
    apiGroup: f(1, string().optional(), 'API group of the object. Unset: the core group.'),
    kind: f(2, string().required(), 'Kind of the object.'),
    name: f(3, string().required(), 'Name of the object.'),
    scope: f(
      4,
      string().optional().always().default('Cluster'),
      'Cluster (the default) for a cluster-wide object, Namespace for one in a namespace.',
    ),
    namespace: f(
      5,
      string().optional(),
      'Namespace of the object; required when scope is Namespace, not allowed otherwise.',
    ),
  },
  { description: 'Object with further settings of an ingress class.' },
);
export type IngressClassParametersReference = Infer<typeof IngressClassParametersReference>;

export const IngressClassSpec = struct(
  'networking.v1.IngressClassSpec',
  {
    controller: f(
      1,
      string(),
      'Name of the controller, a domain and a path such as example.com/ingress; at most 250 characters. Cannot be changed.',
    ),
    parameters: f(
      2,
      IngressClassParametersReference.optional(),
      'Object with further settings for the controller. Unset: none are needed.',
    ),
  },
  { description: 'Desired state of an ingress class: the controller that serves it, and its settings.' },
);
export type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = kind(
  'networking.v1.IngressClass',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, IngressClassSpec),
  },
  { description: 'A class that ingresses name to choose the controller that serves them.' },
);
export type IngressClass = Infer<typeof IngressClass>;
