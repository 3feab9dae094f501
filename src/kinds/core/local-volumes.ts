import { quantity, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const EmptyDirVolumeSource = struct('core.v1.EmptyDirVolumeSource', {
  medium: f(1, string()),
  sizeLimit: f(2, quantity().optional()),
});
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const GitRepoVolumeSource = struct('core.v1.GitRepoVolumeSource', {
  repository: f(1, string().required()),
  revision: f(2, string()),
  directory: f(3, string()),
});
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const HostPathVolumeSource = struct('core.v1.HostPathVolumeSource', {
  path: f(1, string().required()),
  type: f(2, string().optional().default('')),
});
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const LocalVolumeSource = struct('core.v1.LocalVolumeSource', {
  path: f(1, string().required()),
  fsType: f(2, string().optional()),
});
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;
