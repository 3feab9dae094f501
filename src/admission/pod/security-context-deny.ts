import { Pod } from '../../kinds/core/pod/pod.ts';
import { containersOf } from '../../kinds/core/pod/pod-containers.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onKind, type WriteRequest } from '../rule.ts';

/** Pods do not choose under which users, groups and labels of the operating system they run. */
export const securityContextDeny = (): AdmissionPlugin => ({
  rules: [onKind(Pod).validate({ write: refuseChosen })],
});

function refuseChosen(request: WriteRequest<Pod>): void {
  const [field] = chosenBy(request.object.spec);
  if (field !== undefined) throw refusal(request, `${field} is forbidden`);
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
