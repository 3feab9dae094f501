import { int32, quantity, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const ObjectFieldSelector = struct(
  'core.v1.ObjectFieldSelector',
  {
    apiVersion: f(1, string().default('v1')),
    fieldPath: f(2, string().required()),
  },
  { topology: { mapType: 'atomic' } },
);
export type ObjectFieldSelector = Infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct(
  'core.v1.ResourceFieldSelector',
  {
    containerName: f(1, string()),
    resource: f(2, string().required()),
    divisor: f(3, quantity()),
  },
  { topology: { mapType: 'atomic' } },
);
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const DownwardAPIVolumeFile = struct('core.v1.DownwardAPIVolumeFile', {
  path: f(1, string().required()),
  fieldRef: f(2, ObjectFieldSelector.optional()),
  resourceFieldRef: f(3, ResourceFieldSelector.optional()),
  mode: f(4, int32().optional()),
});
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct('core.v1.DownwardAPIVolumeSource', {
  items: f(1, list(DownwardAPIVolumeFile)),
  defaultMode: f(2, int32().optional().default(0o644)),
});
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const DownwardAPIProjection = struct('core.v1.DownwardAPIProjection', {
  items: f(1, list(DownwardAPIVolumeFile)),
});
export type DownwardAPIProjection = Infer<typeof DownwardAPIProjection>;
