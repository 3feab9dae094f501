import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../../columns.ts';
import { firstFew, hostPort, NONE } from '../../printing.ts';
import type { EndpointSubset, Endpoints } from './endpoints.ts';

export const endpointsColumns: readonly Column<Endpoints>[] = [
  nameColumn,
  text('Endpoints', 'The first ready addresses with their ports.', ({ subsets }) =>
    subsets?.length ? firstFew(subsets.flatMap(addresses), 3) : NONE,
  ),
  ageColumn,
];

function addresses({ addresses = [], ports = [] }: EndpointSubset): string[] {
  if (ports.length === 0) return addresses.map(({ ip }) => ip);
  return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
}
