import { eachFormatted, formatted, formattedIfSet, named, oneOf } from '../../../meta/field-rules.ts';
import { dns1123Subdomain, groupId, relativePath, sysctl, userId } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { PodSpec } from './pod-spec.ts';
import type {
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  Sysctl,
  WindowsSecurityContextOptions,
} from './security-context.ts';

const PROC_MOUNTS = ['Default', 'Unmasked'];

/** What one container may do. Privileged ones need the server's permission. */
export function validateSecurityContext(
  security: SecurityContext,
  path: Path,
  problems: Problems,
  { allowPrivileged }: HookContext,
): void {
  if (security.privileged && !allowPrivileged) {
    problems.forbidden(path.child('privileged'), 'disallowed by cluster policy');
  }
  formattedIfSet(problems, path, 'runAsUser', security.runAsUser, userId);
  formattedIfSet(problems, path, 'runAsGroup', security.runAsGroup, groupId);
  oneOf(problems, path, 'procMount', security.procMount, PROC_MOUNTS);
  if (security.seccompProfile) validateSeccompProfile(security.seccompProfile, path.child('seccompProfile'), problems);
  if (security.allowPrivilegeEscalation === false) validateNoEscalation(security, path, problems);
  if (security.windowsOptions) validateWindowsOptions(security.windowsOptions, path.child('windowsOptions'), problems);
}

function validateNoEscalation(security: SecurityContext, path: Path, problems: Problems): void {
  if (security.privileged) {
    problems.invalid(path, security, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
  if (security.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    problems.invalid(
      path,
      security,
      'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    );
  }
}

const FS_GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];

/** What all containers of a pod share. Two fields beside it in the spec belong to the same rules. */
export function validatePodSecurityContext(
  security: PodSecurityContext,
  { shareProcessNamespace, hostPID }: PodSpec,
  path: Path,
  problems: Problems,
): void {
  formattedIfSet(problems, path, 'fsGroup', security.fsGroup, groupId);
  formattedIfSet(problems, path, 'runAsUser', security.runAsUser, userId);
  formattedIfSet(problems, path, 'runAsGroup', security.runAsGroup, groupId);
  eachFormatted(problems, path, 'supplementalGroups', security.supplementalGroups, groupId);
  if (shareProcessNamespace && hostPID) {
    problems.invalid(
      path.child('shareProcessNamespace'),
      shareProcessNamespace,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  }
  if (security.sysctls) validateSysctls(security.sysctls, path.child('sysctls'), problems);
  oneOf(problems, path, 'fsGroupChangePolicy', security.fsGroupChangePolicy, FS_GROUP_CHANGE_POLICIES);
  if (security.seccompProfile) validateSeccompProfile(security.seccompProfile, path.child('seccompProfile'), problems);
  if (security.windowsOptions) validateWindowsOptions(security.windowsOptions, path.child('windowsOptions'), problems);
}

function validateSysctls(sysctls: readonly Sysctl[], path: Path, problems: Problems): void {
  const seen = new Set<string>();
  sysctls.forEach(({ name }, at) => {
    if (named(problems, path.index(at), 'name', name, sysctl) && seen.has(name)) {
      problems.duplicate(path.index(at).child('name'), name);
    }
    seen.add(name);
  });
}

function validateSeccompProfile({ type, localhostProfile }: SeccompProfile, path: Path, problems: Problems): void {
  if (!type) problems.required(path.child('type'), 'type is required when seccompProfile is set');
  if (type === 'Localhost') {
    if (localhostProfile === undefined) {
      problems.required(path.child('localhostProfile'), 'must be set when seccomp type is Localhost');
    } else formatted(problems, path, 'localhostProfile', localhostProfile, relativePath);
  } else if (localhostProfile !== undefined) {
    problems.invalid(
      path.child('localhostProfile'),
      localhostProfile,
      'can only be set when seccomp type is Localhost',
    );
  }
}

const LARGEST_CREDENTIAL_SPEC = 64 * 1024;

function validateWindowsOptions(options: WindowsSecurityContextOptions, path: Path, problems: Problems): void {
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    formatted(problems, path, 'gmsaCredentialSpecName', gmsaCredentialSpecName, dns1123Subdomain);
  }
  if (gmsaCredentialSpec !== undefined) {
    formatted(problems, path, 'gmsaCredentialSpec', gmsaCredentialSpec, credentialSpec);
  }
  if (runAsUserName !== undefined) formatted(problems, path, 'runAsUserName', runAsUserName, windowsUser);
}

function credentialSpec(value: string): string | undefined {
  if (value === '') return 'gmsaCredentialSpec cannot be an empty string';
  return Buffer.byteLength(value) > LARGEST_CREDENTIAL_SPEC
    ? 'gmsaCredentialSpec size must be under 64 KiB'
    : undefined;
}

const LONGEST_WINDOWS_DOMAIN = 255;
const LONGEST_WINDOWS_USER = 104;
const NET_BIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const LONGEST_DNS_LABEL = 63;

const isDnsDomain = (domain: string): boolean =>
  domain.split('.').every((label) => label.length <= LONGEST_DNS_LABEL && DNS_LABEL.test(label));

/** `domain\user` or `user`. */
function windowsUser(value: string): string | undefined {
  if (value === '') return 'runAsUserName cannot be an empty string';
  if (/\p{Cc}/u.test(value)) return 'runAsUserName cannot contain control characters';
  const parts = value.split('\\', 3);
  if (parts.length > 2) return 'runAsUserName cannot contain more than one backslash';
  const [domain, user = ''] = parts.length === 2 ? parts : [undefined, value];
  return (domain === undefined ? undefined : windowsDomain(domain)) ?? windowsAccount(user);
}

function windowsDomain(domain: string): string | undefined {
  if (domain.length > LONGEST_WINDOWS_DOMAIN) return "runAsUserName's Domain length must be under 256 characters";
  return NET_BIOS_DOMAIN.test(domain) || isDnsDomain(domain)
    ? undefined
    : "runAsUserName's Domain doesn't match the NetBios nor the DNS format";
}

function windowsAccount(user: string): string | undefined {
  if (user === '') return "runAsUserName's User cannot be empty";
  if (user.length > LONGEST_WINDOWS_USER) {
    return `runAsUserName's User length must not be longer than ${LONGEST_WINDOWS_USER} characters`;
  }
  if (/^[. ]+$/.test(user)) return "runAsUserName's User cannot contain only periods or spaces";
  return /["/\\:;|=,+*?<>@[\]]/.test(user)
    ? `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`
    : undefined;
}
