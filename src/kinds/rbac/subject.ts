import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const Subject = struct(
  'rbac.v1.Subject',
  {
    kind: f(1, string().required()),
    apiGroup: f(2, string()),
    name: f(3, string().required()),
    namespace: f(4, string()),
  },
  { topology: { mapType: 'atomic' } },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'rbac.v1.RoleRef',
  {
    apiGroup: f(1, string().required()),
    kind: f(2, string().required()),
    name: f(3, string().required()),
  },
  { topology: { mapType: 'atomic' } },
);
export type RoleRef = Infer<typeof RoleRef>;
