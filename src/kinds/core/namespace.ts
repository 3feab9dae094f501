import { string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const NamespaceSpec = struct('core.v1.NamespaceSpec', {
  finalizers: f(1, list(string()), 'Who must agree before the namespace goes.'),
});
export type NamespaceSpec = Infer<typeof NamespaceSpec>;

export const NamespaceCondition = struct('core.v1.NamespaceCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(4, time()),
  reason: f(5, string()),
  message: f(6, string()),
});
export type NamespaceCondition = Infer<typeof NamespaceCondition>;

export const NamespaceStatus = struct('core.v1.NamespaceStatus', {
  phase: f(1, string().suggests('Active', 'Terminating').default('Active'), 'Active, or on its way out.'),
  conditions: f(2, list(NamespaceCondition).mergeBy('type')),
});
export type NamespaceStatus = Infer<typeof NamespaceStatus>;

export const Namespace = kind(
  'core.v1.Namespace',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, NamespaceSpec),
    status: f(3, NamespaceStatus),
  },
  { description: 'A space for names: objects in different namespaces may be called alike.' },
);
export type Namespace = Infer<typeof Namespace>;
