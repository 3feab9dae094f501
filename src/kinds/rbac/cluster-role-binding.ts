import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { RoleRef, Subject } from './subject.ts';

export const ClusterRoleBinding = kind(
  'rbac.v1.ClusterRoleBinding',
  {
    metadata: f(1, ObjectMeta),
    subjects: f(2, list(Subject), 'Who gets the role.'),
    roleRef: f(3, RoleRef.required(), 'The cluster role that is granted; it cannot be changed.'),
  },
  {
    description: 'Grants a cluster role to users, groups and service accounts, in all namespaces and outside of them.',
  },
);
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;
