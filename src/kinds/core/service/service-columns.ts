import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text, wide } from '../../columns.ts';
import { labels, NONE, UNKNOWN } from '../../printing.ts';
import { balancerAddresses } from './load-balancer-columns.ts';
import type { Service, ServicePort } from './service.ts';

export const serviceColumns: readonly Column<Service>[] = [
  nameColumn,
  text('Type', 'How the service is reached.', ({ spec }) => spec.type ?? ''),
  text('Cluster-IP', 'Address inside the cluster.', ({ spec }) => spec.clusterIPs?.[0] ?? NONE),
  text('External-IP', 'Addresses from outside.', externalAddress),
  text('Port(s)', 'Ports and protocols, with the port on every node where there is one.', ports),
  ageColumn,
  wide(text('Selector', 'Labels of the pods behind the service.', ({ spec }) => labels(spec.selector))),
];

function externalAddress({ spec, status }: Service): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || NONE;
    case 'LoadBalancer':
      return [balancerAddresses(status.loadBalancer), ...own].filter(Boolean).join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

function ports({ spec }: Service): string {
  return spec.ports?.map(portText).join(',') || NONE;
}

const portText = ({ port, nodePort, protocol }: ServicePort): string =>
  nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
