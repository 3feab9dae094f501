import type { Service } from '../kinds/core/service/service.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Services get no external addresses any more; those that have some keep them or give them up. */
export class DenyServiceExternalIPs implements AdmissionPlugin {
  readonly name = 'DenyServiceExternalIPs';
  readonly operations = ['CREATE', 'UPDATE'] as const;

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'services' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    const before = new Set(externalIPs(request.oldObject as Service | undefined));
    if (externalIPs(request.object as Service).every((address) => before.has(address))) return;
    throw refusal(request, 'Use of external IPs is denied by admission control');
  }
}

const externalIPs = (service: Service | undefined): readonly string[] => service?.spec.externalIPs ?? [];
