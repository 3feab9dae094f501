import { sortedSet } from '../../printing.ts';
import type { LoadBalancerStatus } from './load-balancer.ts';

/** Where a load balancer listens: addresses, or names where it has none, each once. */
export const balancerAddresses = ({ ingress }: LoadBalancerStatus): string =>
  sortedSet((ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter(Boolean));
