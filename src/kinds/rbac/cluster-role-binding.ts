import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { RoleRef, Subject } from './subject.ts';

export const ClusterRoleBinding = kind('rbac.v1.ClusterRoleBinding', {
  metadata: f(1, ObjectMeta),
  subjects: f(2, list(Subject)),
  roleRef: f(3, RoleRef.required()),
});
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;
