import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const UserSubject = struct(
  'flowcontrol.v1beta2.UserSubject',
  {
    name: f(1, string().required(), 'Name of the user; * for all users.'),
  },
  { description: 'A user, or all users.' },
);
export type UserSubject = Infer<typeof UserSubject>;

export const GroupSubject = struct(
  'flowcontrol.v1beta2.GroupSubject',
  {
    name: f(1, string().required(), 'Name of the group; * for all groups.'),
  },
  { description: 'A group of users.' },
);
export type GroupSubject = Infer<typeof GroupSubject>;

export const ServiceAccountSubject = struct(
  'flowcontrol.v1beta2.ServiceAccountSubject',
  {
    namespace: f(1, string().required(), 'Namespace of the service account.'),
    name: f(2, string().required(), 'Name of the service account; * for all of the namespace.'),
  },
  { description: 'One service account, or all of a namespace.' },
);
export type ServiceAccountSubject = Infer<typeof ServiceAccountSubject>;

export const Subject = struct(
  'flowcontrol.v1beta2.Subject',
  {
    kind: f(1, string().required(), 'User, Group or ServiceAccount.'),
    user: f(2, UserSubject.optional(), 'A user by name.'),
    group: f(3, GroupSubject.optional(), 'A group of users by name.'),
    serviceAccount: f(4, ServiceAccountSubject.optional(), 'A service account by namespace and name.'),
  },
  {
    description: 'Who makes a request; exactly the field that kind names must be set.',
    discriminator: { field: 'kind', selects: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } },
  },
);
export type Subject = Infer<typeof Subject>;
