import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { RoleRef, Subject } from './subject.ts';

export const RoleBinding = kind(
  'rbac.v1.RoleBinding',
  {
    metadata: f(1, ObjectMeta),
    subjects: f(2, list(Subject), 'Who gets the role.'),
    roleRef: f(
      3,
      RoleRef.required(),
      'The role that is granted, of the same namespace, or a cluster role; it cannot be changed.',
    ),
  },
  { description: 'Grants a role to users, groups and service accounts, within one namespace.' },
);
export type RoleBinding = Infer<typeof RoleBinding>;
