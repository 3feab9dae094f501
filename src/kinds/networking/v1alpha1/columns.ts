import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text, wide } from '../../columns.ts';
import { NONE } from '../../printing.ts';
import type { ClusterCIDR } from './cluster-cidr.ts';

export const clusterCIDRColumns: readonly Column<ClusterCIDR>[] = [
  nameColumn,
  text('PerNodeHostBits', 'Bits of an address that each node has.', ({ spec }) => String(spec.perNodeHostBits)),
  text('IPv4', 'The range of IPv4 addresses.', ({ spec }) => spec.ipv4 || NONE),
  text('IPv6', 'The range of IPv6 addresses.', ({ spec }) => spec.ipv6 || NONE),
  ageColumn,
  wide(text('NodeSelector', 'The nodes it is for.', selectedNodes)),
];

function selectedNodes({ spec }: ClusterCIDR): string {
  const terms = spec.nodeSelector?.nodeSelectorTerms ?? [];
  const expressions = terms.flatMap(({ matchExpressions, matchFields }) => [
    ...(matchExpressions ?? []),
    ...(matchFields ?? []),
  ]);
  const texts = expressions.map(({ key, operator, values }) => `${key} ${operator} ${(values ?? []).join('|')}`.trim());
  return texts.join(',') || NONE;
}
