import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const Subject = struct(
  'rbac.v1.Subject',
  {
    kind: f(1, string().required(), 'User, Group or ServiceAccount.'),
    apiGroup: f(
      2,
      string(),
      'API group of the subject. Default: empty for service accounts, the group of this kind for users and groups.',
    ),
    name: f(3, string().required(), 'Name of the user, group or service account.'),
    namespace: f(4, string(), 'Namespace of the service account; not allowed for users and groups.'),
  },
  { description: 'A user, a group or a service account.', topology: { mapType: 'atomic' } },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'rbac.v1.RoleRef',
  {
    apiGroup: f(1, string().required(), 'API group of the role: the group of this kind.'),
    kind: f(2, string().required(), 'Role or ClusterRole.'),
    name: f(3, string().required(), 'Name of the role.'),
  },
  { description: 'The role that a binding grants.', topology: { mapType: 'atomic' } },
);
export type RoleRef = Infer<typeof RoleRef>;
