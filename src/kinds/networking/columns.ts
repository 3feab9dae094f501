import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import { balancerAddresses } from '../core/service/load-balancer-columns.ts';
import { more, NONE, selector } from '../printing.ts';
import type { Ingress } from './ingress.ts';
import type { IngressClass } from './ingress-class.ts';
import type { NetworkPolicy } from './network-policy.ts';

export const ingressClassColumns: readonly Column<IngressClass>[] = [
  nameColumn,
  text('Controller', 'Who serves ingresses of the class.', ({ spec }) => spec.controller ?? ''),
  text('Parameters', 'Object with further settings.', parameters),
  ageColumn,
];

export const ingressColumns: readonly Column<Ingress>[] = [
  nameColumn,
  text('Class', 'Which class serves it.', ({ spec }) => spec.ingressClassName ?? NONE),
  text('Hosts', 'The first hosts it routes.', hosts),
  text('Address', 'Where it listens.', ({ status }) => balancerAddresses(status.loadBalancer)),
  text('Ports', 'Plain and, where there are certificates, encrypted.', ({ spec }) =>
    spec.tls?.length ? '80, 443' : '80',
  ),
  ageColumn,
];

export const networkPolicyColumns: readonly Column<NetworkPolicy>[] = [
  nameColumn,
  text('Pod-Selector', 'Labels of the pods it protects.', ({ spec }) => selector(spec.podSelector)),
  ageColumn,
];

function parameters({ spec }: IngressClass): string {
  if (!spec.parameters) return NONE;
  const { kind, apiGroup, name } = spec.parameters;
  return apiGroup ? `${kind}.${apiGroup}/${name}` : `${kind}/${name}`;
}

const SHOWN_HOSTS = 3;

/** What is left out is counted in rules, whether they name a host or not. */
function hosts({ spec: { rules = [] } }: Ingress): string {
  const shown: string[] = [];
  for (const { host } of rules) {
    if (shown.length === SHOWN_HOSTS) return shown.join(',') + more(rules.length - SHOWN_HOSTS);
    if (host) shown.push(host);
  }
  return shown.join(',') || '*';
}
