import { string } from '../schema/scalars.ts';
import { f, type Infer, struct } from '../schema/schema.ts';

export const GroupVersionKind = struct(
  'meta.v1.GroupVersionKind',
  {
    group: f(1, string().required(), 'API group; empty for the core group.'),
    version: f(2, string().required(), 'Version within the group.'),
    kind: f(3, string().required(), 'Name of the kind, such as Deployment.'),
  },
  { description: 'Full name of a kind.' },
);
export type GroupVersionKind = Infer<typeof GroupVersionKind>;

export const GroupVersionResource = struct(
  'meta.v1.GroupVersionResource',
  {
    group: f(1, string().required(), 'API group; empty for the core group.'),
    version: f(2, string().required(), 'Version within the group.'),
    resource: f(3, string().required(), 'Plural name of the resource, such as deployments.'),
  },
  { description: 'Full name of a resource.' },
);
export type GroupVersionResource = Infer<typeof GroupVersionResource>;
