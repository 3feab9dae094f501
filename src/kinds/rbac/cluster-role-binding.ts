import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { RoleRef, Subject } from './subject.ts';

export const ClusterRoleBinding = kind(
  'rbac.v1.ClusterRoleBinding',
  {
    metadata: f(1, ObjectMeta),
    subjects: f(2, list(Subject), 'To whom.'),
    roleRef: f(3, RoleRef.required(), 'What; it cannot be changed later.'),
  },
  { description: 'Grants a cluster role to users, groups and service accounts, everywhere.' },
);
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;
