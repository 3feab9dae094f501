import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, map, struct } from '../../../schema/schema.ts';
import { PersistentVolumeSpec } from '../../core/volume/persistent-volume.ts';

export const VolumeAttachmentSource = struct(
  'storage.v1.VolumeAttachmentSource',
  {
    persistentVolumeName: f(1, string().optional(), 'Name of the persistent volume.'),
    inlineVolumeSpec: f(
      2,
      PersistentVolumeSpec.optional(),
      'Specification of a volume that is written inside a pod and was moved to a driver; has no object of its own.',
    ),
  },
  { description: 'The volume to be attached; exactly one field must be set.' },
);
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct(
  'storage.v1.VolumeAttachmentSpec',
  {
    attacher: f(1, string().required(), 'Name of the driver that attaches the volume.'),
    source: f(2, VolumeAttachmentSource.required(), 'The volume to be attached.'),
    nodeName: f(3, string().required(), 'Node that the volume is attached to.'),
  },
  { description: 'Which volume to attach to which node; nothing of it can be changed.' },
);
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeError = struct(
  'storage.v1.VolumeError',
  {
    time: f(1, time(), 'When the error occurred.'),
    message: f(2, string(), 'What went wrong; it can be shown in events, so it must hold no secrets.'),
  },
  { description: 'An error while a volume was attached or detached.' },
);
export type VolumeError = Infer<typeof VolumeError>;

export const VolumeAttachmentStatus = struct(
  'storage.v1.VolumeAttachmentStatus',
  {
    attached: f(1, bool().required(), 'Whether the volume is attached.'),
    attachmentMetadata: f(2, map(string()), 'What attaching returned and mounting needs.'),
    attachError: f(3, VolumeError.optional(), 'Last error while attaching; unset after success.'),
    detachError: f(4, VolumeError.optional(), 'Last error while detaching; unset after success.'),
  },
  { description: 'How far attaching has come; written by the driver.' },
);
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = kind(
  'storage.v1.VolumeAttachment',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, VolumeAttachmentSpec.required()),
    status: f(3, VolumeAttachmentStatus),
  },
  { description: 'Asks a driver to attach a volume to a node; deleting it detaches the volume.' },
);
export type VolumeAttachment = Infer<typeof VolumeAttachment>;
