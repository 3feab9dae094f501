import { bool, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const Capabilities = struct('core.v1.Capabilities', {
  add: f(1, list(string())),
  drop: f(2, list(string())),
});
export type Capabilities = Infer<typeof Capabilities>;

export const SELinuxOptions = struct('core.v1.SELinuxOptions', {
  user: f(1, string()),
  role: f(2, string()),
  type: f(3, string()),
  level: f(4, string()),
});
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const SeccompProfile = struct(
  'core.v1.SeccompProfile',
  {
    type: f(1, string().required().oneOf('Localhost', 'RuntimeDefault', 'Unconfined')),
    localhostProfile: f(2, string().optional()),
  },
  { discriminator: { field: 'type', selects: { localhostProfile: 'LocalhostProfile' } } },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const WindowsSecurityContextOptions = struct('core.v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: f(1, string().optional()),
  gmsaCredentialSpec: f(2, string().optional()),
  runAsUserName: f(3, string().optional()),
  hostProcess: f(4, bool().optional()),
});
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const Sysctl = struct('core.v1.Sysctl', {
  name: f(1, string().required()),
  value: f(2, string().required()),
});
export type Sysctl = Infer<typeof Sysctl>;

export const SecurityContext = struct('core.v1.SecurityContext', {
  capabilities: f(1, Capabilities.optional()),
  privileged: f(2, bool().optional()),
  seLinuxOptions: f(3, SELinuxOptions.optional()),
  windowsOptions: f(10, WindowsSecurityContextOptions.optional()),
  runAsUser: f(4, int64().optional()),
  runAsGroup: f(8, int64().optional()),
  runAsNonRoot: f(5, bool().optional()),
  readOnlyRootFilesystem: f(6, bool().optional()),
  allowPrivilegeEscalation: f(7, bool().optional()),
  procMount: f(9, string().optional()),
  seccompProfile: f(11, SeccompProfile.optional()),
});
export type SecurityContext = Infer<typeof SecurityContext>;

export const PodSecurityContext = struct('core.v1.PodSecurityContext', {
  seLinuxOptions: f(1, SELinuxOptions.optional()),
  windowsOptions: f(8, WindowsSecurityContextOptions.optional()),
  runAsUser: f(2, int64().optional()),
  runAsGroup: f(6, int64().optional()),
  runAsNonRoot: f(3, bool().optional()),
  supplementalGroups: f(4, list(int64())),
  fsGroup: f(5, int64().optional()),
  sysctls: f(7, list(Sysctl)),
  fsGroupChangePolicy: f(9, string().optional()),
  seccompProfile: f(10, SeccompProfile.optional()),
});
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
