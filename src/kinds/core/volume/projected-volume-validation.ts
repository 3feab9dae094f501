import { countGiven, formatted, formattedIfSet, required } from '../../../meta/field-rules.ts';
import { fileMode, nonReservedPath } from '../../../meta/formats.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { DownwardAPIVolumeFile, DownwardAPIVolumeSource } from '../pod/downward-api.ts';
import { VOLUME_FIELDS, validateFieldRef, validateResourceFieldRef } from '../pod/env-validation.ts';
import type {
  ConfigMapVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from './projected-volume.ts';

/** Volumes whose files the platform makes: keys of secrets and config maps, facts about the pod, tokens. */

export function validateSecretVolume(source: SecretVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'secretName', source.secretName);
  formattedIfSet(problems, path, 'defaultMode', source.defaultMode, fileMode);
  validateItems(source.items, path, problems);
}

export function validateConfigMapVolume(source: ConfigMapVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'name', source.name);
  formattedIfSet(problems, path, 'defaultMode', source.defaultMode, fileMode);
  validateItems(source.items, path, problems);
}

function validateItems(items: readonly KeyToPath[] | undefined, path: Path, problems: Problems): void {
  items?.forEach((item, at) => {
    const itemPath = path.child('items').index(at);
    required(problems, itemPath, 'key', item.key);
    required(problems, itemPath, 'path', item.path);
    formatted(problems, itemPath, 'path', item.path, nonReservedPath);
    formattedIfSet(problems, itemPath, 'mode', item.mode, fileMode);
  });
}

export function validateDownwardApiVolume(source: DownwardAPIVolumeSource, path: Path, problems: Problems): void {
  formattedIfSet(problems, path, 'defaultMode', source.defaultMode, fileMode);
  for (const file of source.items ?? []) validateDownwardApiFile(file, path, problems);
}

/** Problems of files are noted at the volume, without an index: that is how clients know them. */
function validateDownwardApiFile(file: DownwardAPIVolumeFile, path: Path, problems: Problems): void {
  required(problems, path, 'path', file.path);
  formatted(problems, path, 'path', file.path, nonReservedPath);
  if (file.fieldRef) {
    validateFieldRef(file.fieldRef, VOLUME_FIELDS, path.child('fieldRef'), problems);
    if (file.resourceFieldRef) {
      problems.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef) {
    validateResourceFieldRef(file.resourceFieldRef, path.child('resourceFieldRef'), problems, true);
  } else problems.required(path, 'one of fieldRef and resourceFieldRef is required');
  formattedIfSet(problems, path, 'mode', file.mode, fileMode);
}

export function validateProjectedVolume(source: ProjectedVolumeSource, path: Path, problems: Problems): void {
  formattedIfSet(problems, path, 'defaultMode', source.defaultMode, fileMode);
  const taken = new Set<string>();
  source.sources?.forEach((projection, at) => {
    validateProjection(projection, path, path.child('sources').index(at), problems);
    const { secret, configMap, downwardAPI } = projection;
    if (secret?.items) takeFiles(secret.items, taken, path, problems);
    if (configMap?.items) takeFiles(configMap.items, taken, path, problems);
    if (downwardAPI?.items) takeFiles(downwardAPI.items, taken, path, problems);
  });
}

type File = Pick<DownwardAPIVolumeFile, 'path'>;

function takeFiles(files: readonly File[], taken: Set<string>, path: Path, problems: Problems): void {
  for (const { path: file } of files) {
    if (file === '') continue;
    if (taken.has(file)) problems.invalid(path, file, 'conflicting duplicate paths');
    taken.add(file);
  }
}

function validateProjection(projection: VolumeProjection, volume: Path, path: Path, problems: Problems): void {
  const { secret, configMap, downwardAPI, serviceAccountToken } = projection;
  if (secret) {
    required(problems, path.child('secret'), 'name', secret.name);
    validateItems(secret.items, path.child('secret'), problems);
  }
  if (configMap) {
    required(problems, path.child('configMap'), 'name', configMap.name);
    validateItems(configMap.items, path.child('configMap'), problems);
  }
  for (const file of downwardAPI?.items ?? []) validateDownwardApiFile(file, path.child('downwardAPI'), problems);
  if (serviceAccountToken) validateToken(serviceAccountToken, volume, path.child('serviceAccountToken'), problems);
  if (countGiven(secret, configMap, downwardAPI, serviceAccountToken) > 1) {
    problems.forbidden(path, 'may not specify more than 1 volume type');
  }
}

const SHORTEST_TOKEN_LIFE = 600;
const LONGEST_TOKEN_LIFE = 2 ** 32;

/** How long a token lives. */
export function validateTokenLife(seconds: number, path: Path, problems: Problems): void {
  if (seconds < SHORTEST_TOKEN_LIFE) {
    problems.invalid(path.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > LONGEST_TOKEN_LIFE) {
    problems.invalid(path.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds');
  }
}

function validateToken(token: ServiceAccountTokenProjection, volume: Path, path: Path, problems: Problems): void {
  validateTokenLife(token.expirationSeconds ?? 0, path, problems);
  required(problems, volume, 'path', token.path);
}
