import { Service } from '../../kinds/core/service/service.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onKind, type WriteRequest } from '../rule.ts';

/** Services get no external addresses any more; those that have some keep them or give them up. */
export const denyServiceExternalIPs = (): AdmissionPlugin => ({
  rules: [onKind(Service).validate({ write: refuseNew })],
});

function refuseNew(request: WriteRequest<Service>): void {
  const before = new Set(externalIPs(request.oldObject));
  if (externalIPs(request.object).every((address) => before.has(address))) return;
  throw refusal(request, 'Use of external IPs is denied by admission control');
}

const externalIPs = (service: Service | undefined): readonly string[] => service?.spec.externalIPs ?? [];
