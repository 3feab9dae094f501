import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { PolicyRule } from '../rbac/policy-rule.ts';

export const GrantHolder = struct(
  'explain.v1alpha1.GrantHolder',
  {
    kind: f(1, string().required(), 'User, Group, ServiceAccount or Everyone.'),
    namespace: f(2, string(), 'Namespace of the service account; empty for others.'),
    name: f(3, string(), 'Name of the user, group or service account; empty for everyone.'),
  },
  { description: 'Who is let in by a grant.' },
);
export type GrantHolder = Infer<typeof GrantHolder>;

export const GrantingObject = struct(
  'explain.v1alpha1.GrantingObject',
  {
    kind: f(1, string().required(), 'Kind of the object, such as ClusterRoleBinding.'),
    namespace: f(2, string(), 'Namespace of the object; empty for those that are cluster-wide.'),
    name: f(3, string().required(), 'Name of the object.'),
  },
  { description: 'A stored object by which something is granted.' },
);

export const AccessGrant = struct(
  'explain.v1alpha1.AccessGrant',
  {
    mode: f(1, string().required(), 'The authorization mode that grants it, such as RBAC.'),
    holder: f(2, GrantHolder.optional(), 'To whom it is granted; absent where that is said around it.'),
    binding: f(3, GrantingObject.optional(), 'The binding; absent where the mode needs none.'),
    role: f(4, GrantingObject.optional(), 'The role that is bound; absent where the mode has none.'),
    rules: f(
      5,
      list(PolicyRule),
      'Rules that allow it, each by itself; of a long rule only what matters to the question.',
    ),
    omittedRules: f(6, int32(), 'How many more rules of the role allow it.'),
    condition: f(7, string(), 'What must be so besides; empty for nothing.'),
  },
  { description: 'One way in which somebody is allowed something.' },
);
export type AccessGrant = Infer<typeof AccessGrant>;
