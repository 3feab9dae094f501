import type { Container } from '../../../kinds/core/pod/container.ts';
import type { EnvVar } from '../../../kinds/core/pod/env.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import { parseQuantity } from '../../../schema/quantity.ts';
import { keyValues } from './metadata.ts';
import type { Sheet } from './sheet.ts';

const LEVEL = 2;

/** Maps and secrets whose entries all become variables. */
export function writeEnvironmentSources(sheet: Sheet, { envFrom }: Container): void {
  if (!envFrom || envFrom.length === 0) return;
  sheet.line(LEVEL, 'Environment Variables from:');
  for (const { configMapRef, secretRef, prefix } of envFrom) {
    const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : '';
    const source = configMapRef ?? secretRef;
    const how = prefix ? `${from} with prefix '${prefix}'` : from;
    sheet.line(LEVEL + 1, source?.name ?? '', how, `Optional: ${source?.optional ?? false}`);
  }
}

/** `pod` is absent where a template is described: fields of pods have no values then. */
export function writeEnvironment(sheet: Sheet, container: Container, pod: Pod | undefined): void {
  const variables = container.env ?? [];
  if (variables.length === 0) sheet.field('Environment', '<none>', LEVEL);
  else sheet.line(LEVEL, 'Environment:');
  for (const variable of variables) writeVariable(sheet, variable, container, pod);
}

function writeVariable(sheet: Sheet, variable: EnvVar, container: Container, pod: Pod | undefined): void {
  const { name, value = '', valueFrom } = variable;
  const label = `${name}:`;
  if (!valueFrom) {
    const [first = '', ...others] = value.split('\n');
    sheet.line(LEVEL + 1, label, first);
    for (const line of others) sheet.line(LEVEL + 1, '', line);
    return;
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef) {
    const { apiVersion, fieldPath } = fieldRef;
    sheet.line(LEVEL + 1, label, `${pod ? fieldOf(pod, fieldPath) : ''} (${apiVersion}:${fieldPath})`);
  } else if (resourceFieldRef) {
    const { resource, divisor } = resourceFieldRef;
    sheet.line(LEVEL + 1, label, `${amountOf(container, resource, divisor)} (${resource})`);
  } else if (secretKeyRef) {
    const set = `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>`;
    sheet.line(LEVEL + 1, label, set, `Optional: ${secretKeyRef.optional ?? false}`);
  } else if (configMapKeyRef) {
    const set = `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>`;
    sheet.line(LEVEL + 1, label, set, `Optional: ${configMapKeyRef.optional ?? false}`);
  }
}

/** What a pod has at a path that variables may refer to. */
function fieldOf({ metadata, spec, status }: Pod, path: string): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return metadata[map]?.[key] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations':
      return keyValues(path === 'metadata.labels' ? metadata.labels : metadata.annotations).join('\n');
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return status.hostIP ?? '';
    case 'status.podIP':
      return status.podIP ?? '';
    case 'status.podIPs':
      return (status.podIPs ?? []).map(({ ip }) => ip ?? '').join(',');
    default:
      return '';
  }
}

/** An amount of a container in units of `divisor`, rounded up; a limit that is not set is all that a node has. */
function amountOf({ resources }: Container, resource: string, divisor: string | undefined): string {
  const [kind = '', ...rest] = resource.split('.');
  const amounts = kind === 'limits' ? resources.limits : resources.requests;
  const nanos = parseQuantity(amounts?.[rest.join('.')] ?? '0')?.nanos ?? 0n;
  const unit = parseQuantity(divisor && divisor !== '0' ? divisor : '1')?.nanos ?? 1_000_000_000n;
  const amount = (nanos + unit - 1n) / unit;
  if (amount === 0n && (resource === 'limits.cpu' || resource === 'limits.memory')) return 'node allocatable';
  return String(amount);
}
