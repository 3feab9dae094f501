import { bool, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, map, struct } from '../../../schema/schema.ts';
import { PersistentVolumeSpec } from '../../core/persistent-volume.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const VolumeAttachmentSource = struct('storage.v1.VolumeAttachmentSource', {
  persistentVolumeName: f(1, string().optional()),
  inlineVolumeSpec: f(2, PersistentVolumeSpec.optional()),
});
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct('storage.v1.VolumeAttachmentSpec', {
  attacher: f(1, string().required()),
  source: f(2, VolumeAttachmentSource.required()),
  nodeName: f(3, string().required()),
});
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeError = struct('storage.v1.VolumeError', {
  time: f(1, time()),
  message: f(2, string()),
});
export type VolumeError = Infer<typeof VolumeError>;

export const VolumeAttachmentStatus = struct('storage.v1.VolumeAttachmentStatus', {
  attached: f(1, bool().required()),
  attachmentMetadata: f(2, map(string())),
  attachError: f(3, VolumeError.optional()),
  detachError: f(4, VolumeError.optional()),
});
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = kind(
  'storage.v1.VolumeAttachment',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, VolumeAttachmentSpec.required()),
    status: f(3, VolumeAttachmentStatus),
  },
  { description: 'A volume to be attached to a node.' },
);
export type VolumeAttachment = Infer<typeof VolumeAttachment>;
