import { countGiven, formatted, formattedIfSet, named, required } from '../../../meta/field-rules.ts';
import { configMapKey, dns1123Subdomain, envVarName, qualifiedName } from '../../../meta/formats.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './downward-api.ts';
import type { ConfigMapKeySelector, EnvFromSource, EnvVar, EnvVarSource, SecretKeySelector } from './env.ts';

/** The variables of a container. */
export function validateEnv(variables: readonly EnvVar[], path: Path, problems: Problems): void {
  variables.forEach(({ name, value, valueFrom }, at) => {
    const variable = path.index(at);
    named(problems, variable, 'name', name, envVarName);
    if (valueFrom) validateValueFrom(valueFrom, value, variable.child('valueFrom'), problems);
  });
}

function validateValueFrom(source: EnvVarSource, value: string | undefined, path: Path, problems: Problems): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) validateFieldRef(fieldRef, ENV_FIELDS, path.child('fieldRef'), problems);
  if (resourceFieldRef) validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), problems);
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, path.child('configMapKeyRef'), problems);
  if (secretKeyRef) validateKeySelector(secretKeyRef, path.child('secretKeyRef'), problems);
  const count = countGiven(fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef);
  if (count === 0) {
    problems.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    );
  } else if (value) problems.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) problems.invalid(path, '', 'may not have more than one field specified at a time');
}

function validateKeySelector(selector: ConfigMapKeySelector | SecretKeySelector, path: Path, problems: Problems): void {
  formatted(problems, path, 'name', selector.name ?? '', dns1123Subdomain);
  named(problems, path, 'key', selector.key, configMapKey);
}

/** Sources of many variables at once. That there is one and only one is noted at the list, as clients know it. */
export function validateEnvFrom(sources: readonly EnvFromSource[], path: Path, problems: Problems): void {
  sources.forEach(({ prefix, configMapRef, secretRef }, at) => {
    const source = path.index(at);
    formattedIfSet(problems, source, 'prefix', prefix, envVarName);
    if (configMapRef) named(problems, source.child('configMapRef'), 'name', configMapRef.name, namePrefix);
    if (secretRef) named(problems, source.child('secretRef'), 'name', secretRef.name, namePrefix);
    if (!configMapRef && !secretRef) problems.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (configMapRef && secretRef) problems.invalid(path, '', 'may not have more than one field specified at a time');
  });
}

const namePrefix = (name: string): string | undefined => dns1123Subdomain(name, true);

/** What variables can say of their pod. */
const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

/** What files of a volume can say of their pod. */
export const VOLUME_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
];

/** What anything could ever say of its pod: fields outside this list are unknown rather than unsupported. */
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** `labels['key']`: the map, and the key in it; undefined where nothing is picked from a map. */
function subscriptOf(fieldPath: string): readonly [map: string, key: string] | undefined {
  const open = fieldPath.lastIndexOf("['", fieldPath.length - "['']".length);
  if (fieldPath.length < "['']".length || open < 0 || !fieldPath.endsWith("']") || fieldPath.includes('\n'))
    return undefined;
  return [fieldPath.slice(0, open), fieldPath.slice(open + "['".length, -"']".length)];
}

/** A field of the pod: one of `supported`, or one key of its labels or annotations. */
export function validateFieldRef(
  { apiVersion, fieldPath }: ObjectFieldSelector,
  supported: readonly string[],
  path: Path,
  problems: Problems,
): void {
  if (!required(problems, path, 'apiVersion', apiVersion)) return;
  if (!required(problems, path, 'fieldPath', fieldPath)) return;
  const unknown = unknownField(apiVersion ?? '', fieldPath);
  if (unknown !== undefined) {
    problems.invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${unknown}`);
    return;
  }
  const [map = '', key = ''] = subscriptOf(fieldPath) ?? [];
  if (map === '') {
    const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
    if (!supported.includes(field)) problems.notSupported(path.child('fieldPath'), field, supported);
    return;
  }
  const problem = qualifiedName(map === 'metadata.annotations' ? key.toLowerCase() : key);
  if (problem !== undefined) problems.invalid(path, key, problem);
}

function unknownField(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const [map] = subscriptOf(fieldPath) ?? [];
  if (map === 'metadata.labels' || map === 'metadata.annotations') return undefined;
  if (map !== undefined) return `field label does not support subscript: ${fieldPath}`;
  return KNOWN_FIELDS.has(fieldPath) ? undefined : `field label not supported: ${fieldPath}`;
}

const RESOURCE_FIELDS = [
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
];

const CPU_DIVISORS = ['1m', '1'];
const SIZE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

const isHugePagesField = (resource: string): boolean =>
  resource.startsWith('limits.hugepages-') || resource.startsWith('requests.hugepages-');

/** An amount of a container. `inVolume`: a file has no container of its own, so it has to name one. */
export function validateResourceFieldRef(
  { containerName, resource, divisor }: ResourceFieldSelector,
  path: Path,
  problems: Problems,
  inVolume = false,
): void {
  const known = RESOURCE_FIELDS.includes(resource) || isHugePagesField(resource);
  if (inVolume && !containerName) problems.required(path.child('containerName'));
  else if (required(problems, path, 'resource', resource) && !known) {
    problems.notSupported(path.child('resource'), resource, RESOURCE_FIELDS);
  }
  if (known && divisor && divisor !== '0') validateDivisor(resource, divisor, path, problems);
}

function validateDivisor(resource: string, divisor: string, path: Path, problems: Problems): void {
  const kind = resource.slice(resource.indexOf('.') + 1);
  const allowed = kind === 'cpu' ? CPU_DIVISORS : SIZE_DIVISORS;
  if (allowed.includes(divisor)) return;
  problems.invalid(
    path.child('divisor'),
    resource,
    `only divisor's values ${allowed.join(', ')} are supported with the ${kind} resource`,
  );
}
