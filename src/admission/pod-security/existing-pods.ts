import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { violationsOf } from './checks.ts';
import { type Policy, policyText } from './policy.ts';
import { podOf } from './templates.ts';

const PODS = { group: '', plural: 'pods' };
/** Looking at what is there is a courtesy: it must not take long. */
const MOST_PODS = 3000;
const LONGEST_MS = 1000;

interface Parts {
  readonly objects: Objects;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** Warns of pods in a namespace that its new policy would refuse, those with the same violations together. */
export function warnOfExisting(
  { name, warn }: AdmissionRequest,
  policy: Policy,
  exemptClasses: ReadonlySet<string>,
  { objects, runtime, vocabulary }: Parts,
): void {
  const pods = objects.list<Pod>(PODS, name);
  const deadline = runtime.monotonic() + LONGEST_MS;
  const offenders = new Map<string, string[]>();
  let looked = 0;
  for (const pod of pods.slice(0, MOST_PODS)) {
    if (runtime.monotonic() > deadline) break;
    looked++;
    if (exemptClasses.has(pod.spec.runtimeClassName ?? '')) continue;
    const reasons = violationsOf(policy, podOf(pod), vocabulary).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const text = reasons.join(', ');
    offenders.set(text, [...(offenders.get(text) ?? []), pod.metadata.name ?? '']);
  }
  if (looked < pods.length) {
    warn(`new PodSecurity enforce level only checked against the first ${looked} of ${pods.length} existing pods`);
  }
  if (offenders.size === 0) return;
  warn(`existing pods in namespace "${name}" violate the new PodSecurity enforce level "${policyText(policy)}"`);
  for (const [text, names] of offenders) warn(`${names[0]}${others(names.length - 1)}: ${text}`);
}

const others = (count: number): string =>
  count === 0 ? '' : count === 1 ? ' (and 1 other pod)' : ` (and ${count} other pods)`;
