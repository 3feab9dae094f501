import { string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ComponentCondition = struct('core.v1.ComponentCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  message: f(3, string()),
  error: f(4, string()),
});
export type ComponentCondition = Infer<typeof ComponentCondition>;

export const ComponentStatus = kind(
  'core.v1.ComponentStatus',
  {
    metadata: f(1, ObjectMeta),
    conditions: f(2, list(ComponentCondition).mergeBy('type')),
  },
  { description: 'Health of a part of the control plane. Deprecated.' },
);
export type ComponentStatus = Infer<typeof ComponentStatus>;
