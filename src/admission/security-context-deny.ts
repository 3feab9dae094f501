import type { Pod } from '../kinds/core/pod/pod.ts';
import { containersOf } from '../kinds/core/pod/pod-containers.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Pods do not choose under which users, groups and labels of the operating system they run. */
export class SecurityContextDeny implements AdmissionPlugin {
  readonly name = 'SecurityContextDeny';
  readonly operations = ['CREATE', 'UPDATE'] as const;

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    const [field] = chosenBy((request.object as Pod).spec);
    if (field !== undefined) throw refusal(request, `${field} is forbidden`);
  }
}

function* chosenBy(spec: Pod['spec']): Generator<string> {
  const { supplementalGroups, seLinuxOptions, runAsUser, fsGroup } = spec.securityContext ?? {};
  if (isSet(supplementalGroups)) yield 'pod.Spec.SecurityContext.SupplementalGroups';
  if (isSet(seLinuxOptions)) yield 'pod.Spec.SecurityContext.SELinuxOptions';
  if (isSet(runAsUser)) yield 'pod.Spec.SecurityContext.RunAsUser';
  if (isSet(fsGroup)) yield 'pod.Spec.SecurityContext.FSGroup';
  for (const { container } of containersOf(spec)) {
    if (isSet(container.securityContext?.seLinuxOptions)) yield 'SecurityContext.SELinuxOptions';
    if (isSet(container.securityContext?.runAsUser)) yield 'SecurityContext.RunAsUser';
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;
