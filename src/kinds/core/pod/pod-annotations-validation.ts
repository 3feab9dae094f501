import { relativePath } from '../../../meta/formats.ts';
import type { ObjectMeta } from '../../../meta/object-meta.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { PodSpec } from './pod-spec.ts';
import type { SeccompProfile } from './security-context.ts';

type Annotations = ObjectMeta['annotations'];

/** Annotations of pods that mean something, in a pod or in a template. */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { configMirror, podDeletionCost, seccompPod, seccompContainerPrefix, appArmorContainerPrefix } =
    vocabulary.annotations;
  let names: ReadonlySet<string> | undefined;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (key === configMirror && !spec.nodeName) {
      problems.invalid(path.key(key), value, 'must set spec.nodeName if mirror pod annotation is set');
    } else if (key === podDeletionCost && !isInt32(value)) {
      problems.invalid(path.key(key), value, 'must be a 32bit integer');
    } else if (key === seccompPod || key.startsWith(seccompContainerPrefix)) {
      const problem = seccompProfile(value);
      if (problem !== undefined) problems.invalid(path.child(key), value, problem);
    } else if (key.startsWith(appArmorContainerPrefix)) {
      names ??= containerNames(spec);
      validateAppArmor(key.slice(appArmorContainerPrefix.length), value, names, path.key(key), problems);
    }
  }
}

function isInt32(text: string): boolean {
  const value = /^(?:0|[1-9]\d*|-\d+)$/.test(text) ? Number(text) : Number.NaN;
  return value >= -(2 ** 31) && value < 2 ** 31;
}

const LOCALHOST = 'localhost/';
const RUNTIME_DEFAULTS = ['runtime/default', 'docker/default'];

function seccompProfile(profile: string): string | undefined {
  if (RUNTIME_DEFAULTS.includes(profile) || profile === 'unconfined') return undefined;
  return profile.startsWith(LOCALHOST)
    ? relativePath(profile.slice(LOCALHOST.length))
    : 'must be a valid seccomp profile';
}

function containerNames({ containers, initContainers, ephemeralContainers }: PodSpec): ReadonlySet<string> {
  const all = [...(containers ?? []), ...(initContainers ?? []), ...(ephemeralContainers ?? [])];
  return new Set(all.map(({ name }) => name));
}

function validateAppArmor(
  container: string,
  profile: string,
  names: ReadonlySet<string>,
  path: Path,
  problems: Problems,
): void {
  if (!names.has(container)) problems.invalid(path, container, 'container not found');
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCALHOST)) return;
  problems.invalid(path, profile, `invalid AppArmor profile name: "${profile}"`);
}

/** Seccomp profiles can be given in two ways; where both are used they say the same. */
export function validateSeccompAgreement(
  annotations: Annotations,
  spec: PodSpec,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  if (!annotations) return;
  const { seccompPod, seccompContainerPrefix } = vocabulary.annotations;
  const compare = (key: string, profile: SeccompProfile | undefined, place: Path): void => {
    const annotation = annotations[key];
    if (annotation !== undefined && profile) {
      validateAgreement(annotation, profile, place.child('securityContext').child('seccompProfile'), problems);
    }
  };
  compare(seccompPod, spec.securityContext?.seccompProfile, path);
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    spec[field]?.forEach(({ name, securityContext }, at) => {
      compare(`${seccompContainerPrefix}${name}`, securityContext?.seccompProfile, path.child(field).index(at));
    });
  }
}

function validateAgreement(annotation: string, profile: SeccompProfile, path: Path, problems: Problems): void {
  const { type, localhostProfile } = profile;
  const differs =
    (type === 'Unconfined' && annotation !== 'unconfined') ||
    (type === 'RuntimeDefault' && !RUNTIME_DEFAULTS.includes(annotation)) ||
    (type === 'Localhost' && !annotation.startsWith(LOCALHOST));
  if (differs) problems.forbidden(path.child('type'), 'seccomp type in annotation and field must match');
  else if (type === 'Localhost' && annotation.slice(LOCALHOST.length) !== localhostProfile) {
    problems.forbidden(path.child('localhostProfile'), 'seccomp profile in annotation and field must match');
  }
}

/** Annotations that are settled when a pod is made. */
export function validatePodAnnotationsUpdate(
  annotations: Annotations,
  old: Annotations,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { configMirror, appArmorContainerPrefix } = vocabulary.annotations;
  const keys = new Set([...Object.keys(annotations ?? {}), ...Object.keys(old ?? {})]);
  for (const key of keys) {
    const [value, before] = [annotations?.[key], old?.[key]];
    if (value === before) continue;
    const what = before === undefined ? 'add' : 'remove or update';
    if (key.startsWith(appArmorContainerPrefix)) {
      problems.forbidden(path.key(key), `may not ${what} AppArmor annotations`);
    } else if (key === configMirror) problems.forbidden(path.key(key), `may not ${what} mirror pod annotation`);
  }
}
