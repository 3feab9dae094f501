import { string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const IngressClassParametersReference = struct('networking.v1.IngressClassParametersReference', {
  apiGroup: f(1, string().optional()),
  kind: f(2, string().required()),
  name: f(3, string().required()),
  scope: f(4, string().optional().always().default('Cluster')),
  namespace: f(5, string().optional()),
});
export type IngressClassParametersReference = Infer<typeof IngressClassParametersReference>;

export const IngressClassSpec = struct('networking.v1.IngressClassSpec', {
  controller: f(1, string()),
  parameters: f(2, IngressClassParametersReference.optional()),
});
export type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = kind(
  'networking.v1.IngressClass',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, IngressClassSpec),
  },
  { description: 'A controller that serves ingresses, and its settings.' },
);
export type IngressClass = Infer<typeof IngressClass>;
