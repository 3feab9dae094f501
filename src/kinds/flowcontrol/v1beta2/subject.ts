import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const UserSubject = struct('flowcontrol.v1beta2.UserSubject', {
  name: f(1, string().required()),
});
export type UserSubject = Infer<typeof UserSubject>;

export const GroupSubject = struct('flowcontrol.v1beta2.GroupSubject', {
  name: f(1, string().required()),
});
export type GroupSubject = Infer<typeof GroupSubject>;

export const ServiceAccountSubject = struct('flowcontrol.v1beta2.ServiceAccountSubject', {
  namespace: f(1, string().required()),
  name: f(2, string().required()),
});
export type ServiceAccountSubject = Infer<typeof ServiceAccountSubject>;

export const Subject = struct(
  'flowcontrol.v1beta2.Subject',
  {
    kind: f(1, string().required()),
    user: f(2, UserSubject.optional()),
    group: f(3, GroupSubject.optional()),
    serviceAccount: f(4, ServiceAccountSubject.optional()),
  },
  { discriminator: { field: 'kind', selects: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } } },
);
export type Subject = Infer<typeof Subject>;
