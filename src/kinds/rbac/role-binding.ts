import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { RoleRef, Subject } from './subject.ts';

export const RoleBinding = kind(
  'rbac.v1.RoleBinding',
  {
    metadata: f(1, ObjectMeta),
    subjects: f(2, list(Subject), 'To whom.'),
    roleRef: f(3, RoleRef.required(), 'What; it cannot be changed later.'),
  },
  { description: 'Grants a role to users, groups and service accounts, in one namespace.' },
);
export type RoleBinding = Infer<typeof RoleBinding>;
