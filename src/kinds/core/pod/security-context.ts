import { bool, int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const Capabilities = struct(
  'core.v1.Capabilities',
  {
    add: f(1, list(string()), 'Capabilities to add, such as NET_ADMIN.'),
    drop: f(2, list(string()), 'Capabilities to take away; ALL means every one.'),
  },
  { description: 'Linux capabilities to add to or take from those the runtime gives by default.' },
);
export type Capabilities = Infer<typeof Capabilities>;

export const SELinuxOptions = struct(
  'core.v1.SELinuxOptions',
  {
    user: f(1, string(), 'User part of the label. Unset: as the runtime chooses.'),
    role: f(2, string(), 'Role part of the label. Unset: as the runtime chooses.'),
    type: f(3, string(), 'Type part of the label. Unset: as the runtime chooses.'),
    level: f(4, string(), 'Level part of the label, such as s0:c123,c456. Unset: as the runtime chooses.'),
  },
  { description: 'SELinux label of processes and files.' },
);
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const SeccompProfile = struct(
  'core.v1.SeccompProfile',
  {
    type: f(
      1,
      string().required().oneOf('Localhost', 'RuntimeDefault', 'Unconfined'),
      'RuntimeDefault (the profile of the runtime), Unconfined (no restriction) or Localhost (a profile on the node).',
    ),
    localhostProfile: f(
      2,
      string().optional(),
      'File of the profile, relative to the seccomp directory of the node agent. Required for type Localhost, otherwise forbidden.',
    ),
  },
  {
    description: 'Which system calls processes may use.',
    discriminator: { field: 'type', selects: { localhostProfile: 'LocalhostProfile' } },
  },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const WindowsSecurityContextOptions = struct(
  'core.v1.WindowsSecurityContextOptions',
  {
    gmsaCredentialSpecName: f(
      1,
      string().optional(),
      'Name of the credential spec of a group managed service account; an admission webhook fills in its contents.',
    ),
    gmsaCredentialSpec: f(
      2,
      string().optional(),
      'Contents of the credential spec of a group managed service account; below 64 KiB.',
    ),
    runAsUserName: f(3, string().optional(), 'User to run as: user or DOMAIN\\user. Unset: the user of the image.'),
    hostProcess: f(
      4,
      bool().optional(),
      'Runs as a process of the node rather than isolated from it. All containers of a pod must agree; requires hostNetwork.',
    ),
  },
  { description: 'Security settings that exist on Windows nodes only. Must not be set if the os of the pod is linux.' },
);
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const Sysctl = struct(
  'core.v1.Sysctl',
  {
    name: f(1, string().required(), 'Name of the parameter, with dots or slashes, such as net.core.somaxconn.'),
    value: f(2, string().required(), 'Value to set the parameter to.'),
  },
  { description: 'A kernel parameter to set for a pod.' },
);
export type Sysctl = Infer<typeof Sysctl>;

export const SecurityContext = struct(
  'core.v1.SecurityContext',
  {
    capabilities: f(
      1,
      Capabilities.optional(),
      'Linux capabilities to add or to take away. Unset: those the runtime gives by default.',
    ),
    privileged: f(
      2,
      bool().optional(),
      'Gives the container nearly all rights of root on the node; the server may forbid it. False by default.',
    ),
    seLinuxOptions: f(
      3,
      SELinuxOptions.optional(),
      'SELinux label of the container. Unset: that of the pod, or one the runtime chooses.',
    ),
    windowsOptions: f(
      10,
      WindowsSecurityContextOptions.optional(),
      'Settings for Windows nodes. Unset: those of the pod.',
    ),
    runAsUser: f(4, int64().optional(), 'User id to run as. Unset: that of the pod, or the one of the image.'),
    runAsGroup: f(
      8,
      int64().optional(),
      'Primary group id to run as. Unset: that of the pod, or the one the runtime chooses.',
    ),
    runAsNonRoot: f(
      5,
      bool().optional(),
      'True refuses to start the container as user 0. Unset: what the pod says; false allows it.',
    ),
    readOnlyRootFilesystem: f(6, bool().optional(), 'Lets the container write to its volumes only. False by default.'),
    allowPrivilegeEscalation: f(
      7,
      bool().optional(),
      'Whether processes may gain more privileges than their parent. False excludes privileged and CAP_SYS_ADMIN; unset: they may.',
    ),
    procMount: f(
      9,
      string().optional(),
      'How /proc is mounted: Default (parts hidden) or Unmasked. Part of the feature ProcMountType.',
    ),
    seccompProfile: f(
      11,
      SeccompProfile.optional(),
      'Which system calls the container may use. Unset: what the pod says.',
    ),
  },
  {
    description:
      'User, privileges and isolation of one container. What is set here wins over the security context of the pod.',
  },
);
export type SecurityContext = Infer<typeof SecurityContext>;

export const PodSecurityContext = struct(
  'core.v1.PodSecurityContext',
  {
    seLinuxOptions: f(
      1,
      SELinuxOptions.optional(),
      'SELinux label of all containers. Unset: the runtime chooses one for each.',
    ),
    windowsOptions: f(8, WindowsSecurityContextOptions.optional(), 'Settings for Windows nodes, for all containers.'),
    runAsUser: f(2, int64().optional(), 'User id to run as. Unset: the one of each image.'),
    runAsGroup: f(6, int64().optional(), 'Primary group id to run as. Unset: the one the runtime chooses.'),
    runAsNonRoot: f(3, bool().optional(), 'True refuses to start containers as user 0. Unset or false allows it.'),
    supplementalGroups: f(
      4,
      list(int64()),
      'Further group ids of the first process of each container, besides the primary group and fsGroup.',
    ),
    fsGroup: f(
      5,
      int64().optional(),
      'Group id that owns the files of volumes that support it; also a further group of all processes. Unset: owners stay.',
    ),
    sysctls: f(7, list(Sysctl), 'Kernel parameters to set for the pod. Unsafe ones need the consent of the node.'),
    fsGroupChangePolicy: f(
      9,
      string().optional(),
      'When owners in a volume are set to fsGroup: Always (default), or OnRootMismatch to skip it if the root directory fits.',
    ),
    seccompProfile: f(
      10,
      SeccompProfile.optional(),
      'Which system calls all containers may use. Unset: no restriction, unless the node has a default.',
    ),
  },
  { description: 'User, groups and isolation for all containers of a pod. What a container sets itself wins.' },
);
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
