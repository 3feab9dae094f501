import { int32, quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const ObjectFieldSelector = struct(
  'core.v1.ObjectFieldSelector',
  {
    apiVersion: f(1, string().default('v1'), 'Version of the pod schema that fieldPath is written in; v1 by default.'),
    fieldPath: f(
      2,
      string().required(),
      "Path of the field, such as metadata.name or status.podIP; one label or annotation is metadata.labels['key'].",
    ),
  },
  { description: 'Refers to a field of the pod itself.', topology: { mapType: 'atomic' } },
);
export type ObjectFieldSelector = Infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct(
  'core.v1.ResourceFieldSelector',
  {
    containerName: f(
      1,
      string(),
      'Container whose amount is meant. Required in volumes; in environment variables it is the container itself when unset.',
    ),
    resource: f(2, string().required(), 'Amount that is meant, such as limits.cpu or requests.memory.'),
    divisor: f(3, quantity(), 'Unit to express the amount in, such as 1m or 1Mi; the result is rounded up. Unset: 1.'),
  },
  { description: 'Refers to an amount that a container requests or is limited to.', topology: { mapType: 'atomic' } },
);
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const DownwardAPIVolumeFile = struct(
  'core.v1.DownwardAPIVolumeFile',
  {
    path: f(1, string().required(), 'Path of the file within the volume; relative, without "..".'),
    fieldRef: f(
      2,
      ObjectFieldSelector.optional(),
      'Field of the pod to show: name, namespace, uid, labels or annotations. Excludes resourceFieldRef.',
    ),
    resourceFieldRef: f(
      3,
      ResourceFieldSelector.optional(),
      'Request or limit of a container to show; containerName is required. Excludes fieldRef.',
    ),
    mode: f(4, int32().optional(), 'Permission bits of the file, 0 to 0777. Unset: the default mode of the volume.'),
  },
  { description: 'A file that shows a field of the pod or an amount of one of its containers.' },
);
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct(
  'core.v1.DownwardAPIVolumeSource',
  {
    items: f(1, list(DownwardAPIVolumeFile), 'The files of the volume.'),
    defaultMode: f(
      2,
      int32().optional().default(0o644),
      'Permission bits of files that set no mode of their own, 0 to 0777; 0644 by default. JSON takes decimal numbers only.',
    ),
  },
  { description: 'A volume whose files show facts about the pod. Files follow changes of labels and annotations.' },
);
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const DownwardAPIProjection = struct(
  'core.v1.DownwardAPIProjection',
  {
    items: f(1, list(DownwardAPIVolumeFile), 'The files to project.'),
  },
  { description: 'Facts about the pod as files of a projected volume.' },
);
export type DownwardAPIProjection = Infer<typeof DownwardAPIProjection>;
