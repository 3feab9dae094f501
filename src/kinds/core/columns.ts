import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import type { ComponentStatus } from './component-status.ts';
import type { ConfigMap } from './config/config-map.ts';
import type { Secret } from './config/secret.ts';
import type { ServiceAccount } from './config/service-account.ts';
import type { Namespace } from './namespace/namespace.ts';

const size = (map: object | undefined): number => (map ? Object.keys(map).length : 0);

export const namespaceColumns: readonly Column<Namespace>[] = [
  nameColumn,
  text('Status', 'Whether the namespace is in use or going away.', ({ status }) => status.phase ?? ''),
  ageColumn,
];

export const configMapColumns: readonly Column<ConfigMap>[] = [
  nameColumn,
  text('Data', 'Number of entries.', ({ data, binaryData }) => size(data) + size(binaryData)),
  ageColumn,
];

export const secretColumns: readonly Column<Secret>[] = [
  nameColumn,
  text('Type', 'What kind of secret it is.', ({ type }) => type ?? ''),
  text('Data', 'Number of entries.', ({ data }) => size(data)),
  ageColumn,
];

export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [
  nameColumn,
  text('Secrets', 'Number of secrets that belong to the account.', ({ secrets }) => secrets?.length ?? 0),
  ageColumn,
];

export const componentStatusColumns: readonly Column<ComponentStatus>[] = [
  nameColumn,
  text('Status', 'Whether the component is well.', (component) => wellness(healthOf(component)?.status)),
  text('Message', 'What the component answered.', (component) => healthOf(component)?.message ?? ''),
  text('Error', 'What went wrong in asking.', (component) => healthOf(component)?.error ?? ''),
];

function healthOf({ conditions }: ComponentStatus) {
  return conditions?.find(({ type }) => type === 'Healthy');
}

function wellness(status: string | undefined): string {
  if (status === undefined) return 'Unknown';
  return status === 'True' ? 'Healthy' : 'Unhealthy';
}
