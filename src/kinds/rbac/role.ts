import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { PolicyRule } from './policy-rule.ts';

export const Role = kind(
  'rbac.v1.Role',
  {
    metadata: f(1, ObjectMeta),
    rules: f(2, list(PolicyRule).always(), 'The permissions; they add up, none can be taken away.'),
  },
  { description: 'Set of permissions within one namespace.' },
);
export type Role = Infer<typeof Role>;
