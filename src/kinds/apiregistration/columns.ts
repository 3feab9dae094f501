import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import type { APIService } from './api-service.ts';

export const apiServiceColumns: readonly Column<APIService>[] = [
  nameColumn,
  text('Service', 'Who serves the version.', ({ spec: { service } }) =>
    service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
  ),
  text('Available', 'Whether it answers, and if not, why.', availability),
  ageColumn,
];

function availability({ status }: APIService): string {
  const available = status.conditions?.find(({ type }) => type === 'Available');
  if (!available) return 'Unknown';
  const explained = available.status !== 'True' && available.reason;
  return explained ? `${available.status} (${available.reason})` : available.status;
}
