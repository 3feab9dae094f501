import { quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const EmptyDirVolumeSource = struct(
  'core.v1.EmptyDirVolumeSource',
  {
    medium: f(
      1,
      string(),
      'Where the data is kept: empty for the disk of the node, Memory for a file system in memory, HugePages or HugePages-<size>.',
    ),
    sizeLimit: f(
      2,
      quantity().optional(),
      'Most the volume may hold, as a quantity; the pod is evicted beyond that. In memory it counts against memory limits. Unset: no limit.',
    ),
  },
  { description: 'An empty directory on the node that is made with the pod and lost with it.' },
);
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const GitRepoVolumeSource = struct(
  'core.v1.GitRepoVolumeSource',
  {
    repository: f(1, string().required(), 'URL of the repository to clone.'),
    revision: f(2, string(), 'Commit to check out. Unset: the head of the default branch.'),
    directory: f(
      3,
      string(),
      'Directory within the volume to clone into; relative, without "..". "." means the volume itself; unset: one named after the repository.',
    ),
  },
  { description: 'A clone of a git repository. Deprecated: clone in an init container into an emptyDir instead.' },
);
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const HostPathVolumeSource = struct(
  'core.v1.HostPathVolumeSource',
  {
    path: f(1, string().required(), 'Path on the node; links are followed. Must not contain "..".'),
    type: f(
      2,
      string().optional().default(''),
      'What is checked before mounting: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice, BlockDevice. Empty (default): nothing.',
    ),
  },
  {
    description:
      'A file or directory of the node. Gives the pod access to the node, so few should be allowed to use it.',
  },
);
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const LocalVolumeSource = struct(
  'core.v1.LocalVolumeSource',
  {
    path: f(1, string().required(), 'Path on the node: a directory, or a block device. Must not contain "..".'),
    fsType: f(
      2,
      string().optional(),
      'File system to mount if path is a block device, such as ext4 or xfs. Unset: found out.',
    ),
  },
  { description: 'A disk, partition or directory of one node. The volume must set nodeAffinity to that node.' },
);
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;
