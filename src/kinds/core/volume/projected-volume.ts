import { bool, int32, int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../../schema/schema.ts';
import { DownwardAPIProjection } from '../pod/downward-api.ts';
import { LocalObjectReference } from '../references.ts';

export const KeyToPath = struct(
  'core.v1.KeyToPath',
  {
    key: f(1, string().required(), 'Key of the config map or secret.'),
    path: f(2, string().required(), 'Path of the file within the volume; relative, without "..".'),
    mode: f(
      3,
      int32().optional(),
      'Permission bits of the file, 0 to 0777. Unset: the default mode of the volume. JSON takes decimal numbers only.',
    ),
  },
  { description: 'Which file of a volume a key becomes.' },
);
export type KeyToPath = Infer<typeof KeyToPath>;

export const ConfigMapVolumeSource = struct(
  'core.v1.ConfigMapVolumeSource',
  {
    localObjectReference: inline(1, LocalObjectReference),
    items: f(
      2,
      list(KeyToPath),
      'Keys to show, and as which files. Unset: every key, as a file of its name. A key that does not exist is an error unless optional.',
    ),
    defaultMode: f(
      3,
      int32().optional().default(0o644),
      'Permission bits of files that set no mode of their own, 0 to 0777; 0644 by default. JSON takes decimal numbers only.',
    ),
    optional: f(
      4,
      bool().optional(),
      'True lets the pod start if the config map or a key does not exist; otherwise it waits for it.',
    ),
  },
  {
    description:
      'A volume whose files are the entries of a config map. They follow its changes, except where mounted with subPath.',
  },
);
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

export const SecretVolumeSource = struct(
  'core.v1.SecretVolumeSource',
  {
    secretName: f(1, string(), 'Secret in the namespace of the pod. Required.'),
    items: f(
      2,
      list(KeyToPath),
      'Keys to show, and as which files. Unset: every key, as a file of its name. A key that does not exist is an error unless optional.',
    ),
    defaultMode: f(
      3,
      int32().optional().default(0o644),
      'Permission bits of files that set no mode of their own, 0 to 0777; 0644 by default. JSON takes decimal numbers only.',
    ),
    optional: f(
      4,
      bool().optional(),
      'True lets the pod start if the secret or a key does not exist; otherwise it waits for it.',
    ),
  },
  {
    description:
      'A volume, kept in memory, whose files are the entries of a secret. They follow its changes, except where mounted with subPath.',
  },
);
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const ConfigMapProjection = struct(
  'core.v1.ConfigMapProjection',
  {
    localObjectReference: inline(1, LocalObjectReference),
    items: f(
      2,
      list(KeyToPath),
      'Keys to show, and as which files. Unset: every key, as a file of its name. A key that does not exist is an error unless optional.',
    ),
    optional: f(
      4,
      bool().optional(),
      'True lets the pod start if the config map or a key does not exist; otherwise it waits for it.',
    ),
  },
  { description: 'Entries of a config map as files of a projected volume.' },
);
export type ConfigMapProjection = Infer<typeof ConfigMapProjection>;

export const SecretProjection = struct(
  'core.v1.SecretProjection',
  {
    localObjectReference: inline(1, LocalObjectReference),
    items: f(
      2,
      list(KeyToPath),
      'Keys to show, and as which files. Unset: every key, as a file of its name. A key that does not exist is an error unless optional.',
    ),
    optional: f(
      4,
      bool().optional(),
      'True lets the pod start if the secret or a key does not exist; otherwise it waits for it.',
    ),
  },
  { description: 'Entries of a secret as files of a projected volume.' },
);
export type SecretProjection = Infer<typeof SecretProjection>;

export const ServiceAccountTokenProjection = struct(
  'core.v1.ServiceAccountTokenProjection',
  {
    audience: f(1, string(), 'For whom the token is meant; others must refuse it. Unset: the API server.'),
    expirationSeconds: f(
      2,
      int64().optional().default(3600),
      'Seconds the token is asked to be valid, from 600 to 4294967296; 3600 by default. The server may give another time.',
    ),
    path: f(3, string().required(), 'Path of the file within the volume; relative. Required.'),
  },
  { description: 'A token of the service account of the pod as a file. The node replaces it before it expires.' },
);
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const VolumeProjection = struct(
  'core.v1.VolumeProjection',
  {
    secret: f(1, SecretProjection.optional(), 'Entries of a secret in the namespace of the pod.'),
    downwardAPI: f(2, DownwardAPIProjection.optional(), 'Facts about the pod.'),
    configMap: f(3, ConfigMapProjection.optional(), 'Entries of a config map in the namespace of the pod.'),
    serviceAccountToken: f(4, ServiceAccountTokenProjection.optional(), 'A token of the service account of the pod.'),
  },
  { description: 'One source of files of a projected volume; exactly one field.' },
);
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct(
  'core.v1.ProjectedVolumeSource',
  {
    sources: f(
      1,
      list(VolumeProjection).always(),
      'Where the files come from. No two sources may write the same path.',
    ),
    defaultMode: f(
      2,
      int32().optional().default(0o644),
      'Permission bits of files that set no mode of their own, 0 to 0777; 0644 by default. JSON takes decimal numbers only.',
    ),
  },
  { description: 'A volume that puts files from several sources into one directory.' },
);
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;
