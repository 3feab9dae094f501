import { forbidden } from '../../../meta/field-rules.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';
import type { PodSecurityContext, SecurityContext } from './security-context.ts';

/** Every container of a pod with its path: those that come first, then the main ones, then those added later. */
function* containersOf(spec: PodSpec, path: Path): Iterable<readonly [Container, Path]> {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [at, container] of (spec[field] ?? []).entries()) yield [container, path.child(field).index(at)];
  }
}

/** A pod that names its operating system sets no field that only the other one has. */
export function validateOs(spec: PodSpec, path: Path, problems: Problems): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (name === 'linux') validateLinux(spec, path, problems);
  else if (name === 'windows') validateWindows(spec, path, problems);
  else if (!name) problems.required(path.child('os').child('name'), 'cannot be empty');
  else problems.notSupported(path.child('os'), name, ['linux', 'windows']);
}

function validateLinux(spec: PodSpec, path: Path, problems: Problems): void {
  const why = 'windows options cannot be set for a linux pod';
  forbidden(problems, path.child('securityContext'), 'windowsOptions', spec.securityContext?.windowsOptions, why);
  for (const [{ securityContext }, place] of containersOf(spec, path)) {
    forbidden(problems, place.child('securityContext'), 'windowsOptions', securityContext?.windowsOptions, why);
  }
}

const LINUX_POD_FIELDS = [
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
] as const satisfies readonly (keyof PodSecurityContext)[];

const LINUX_CONTAINER_FIELDS = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof SecurityContext)[];

const NOT_ON_WINDOWS = 'cannot be set for a windows pod';

function validateWindows(spec: PodSpec, path: Path, problems: Problems): void {
  forbidden(problems, path, 'hostPID', spec.hostPID, NOT_ON_WINDOWS);
  forbidden(problems, path, 'hostIPC', spec.hostIPC, NOT_ON_WINDOWS);
  if (spec.shareProcessNamespace !== undefined) {
    problems.forbidden(path.child('shareProcessNamespace'), NOT_ON_WINDOWS);
  }
  refuseSet(spec.securityContext ?? {}, LINUX_POD_FIELDS, path.child('securityContext'), problems);
  for (const [{ securityContext }, place] of containersOf(spec, path)) {
    refuseSet(securityContext ?? {}, LINUX_CONTAINER_FIELDS, place.child('securityContext'), problems);
  }
}

function refuseSet<F extends string>(
  object: { readonly [K in F]?: unknown },
  fields: readonly F[],
  path: Path,
  problems: Problems,
): void {
  for (const field of fields) {
    if (object[field] !== undefined) problems.forbidden(path.child(field), NOT_ON_WINDOWS);
  }
}

const hasOptions = ({ securityContext }: Container | PodSpec): boolean => securityContext?.windowsOptions !== undefined;

/** A quick look, as hardly any pod has them. */
const hasWindowsOptions = (spec: PodSpec): boolean =>
  hasOptions(spec) ||
  (spec.containers?.some(hasOptions) ?? false) ||
  (spec.initContainers?.some(hasOptions) ?? false) ||
  (spec.ephemeralContainers?.some(hasOptions) ?? false);

/** Containers that are processes of the host: all of them or none, on the network of the host, and allowed at all. */
export function validateHostProcess(spec: PodSpec, path: Path, problems: Problems, context: HookContext): void {
  if (!hasWindowsOptions(spec)) return;
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let onHost = 0;
  for (const [{ securityContext }, place] of containersOf(spec, path)) {
    const own = securityContext?.windowsOptions?.hostProcess;
    count++;
    if (own ?? ofPod) onHost++;
    if (ofPod === undefined || own === undefined || own === ofPod) continue;
    problems.invalid(
      place.child('securityContext').child('windowsOptions').child('hostProcess'),
      own,
      `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
    );
  }
  if (onHost === 0) return;
  if (onHost !== count) {
    problems.invalid(
      path,
      '',
      'If pod contains any hostProcess containers then all containers must be HostProcess containers',
    );
  }
  if (!spec.hostNetwork) {
    problems.invalid(
      path.child('hostNetwork'),
      false,
      'hostNetwork must be true if pod contains any hostProcess containers',
    );
  }
  if (!context.allowPrivileged) problems.forbidden(path, 'hostProcess containers are disallowed by cluster policy');
}
