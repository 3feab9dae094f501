import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const GroupVersionKind = struct('meta.v1.GroupVersionKind', {
  group: f(1, string().required()),
  version: f(2, string().required()),
  kind: f(3, string().required()),
});
export type GroupVersionKind = Infer<typeof GroupVersionKind>;

export const GroupVersionResource = struct('meta.v1.GroupVersionResource', {
  group: f(1, string().required()),
  version: f(2, string().required()),
  resource: f(3, string().required()),
});
export type GroupVersionResource = Infer<typeof GroupVersionResource>;
