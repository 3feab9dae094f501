import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PolicyRule } from './policy-rule.ts';

export const Role = kind(
  'rbac.v1.Role',
  {
    metadata: f(1, ObjectMeta),
    rules: f(2, list(PolicyRule).always(), 'What may be done.'),
  },
  { description: 'What may be done in a namespace.' },
);
export type Role = Infer<typeof Role>;
