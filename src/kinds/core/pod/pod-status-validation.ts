import { ip, isOnePerFamily, parseAddress } from '../../../meta/addresses.ts';
import { formatted, formattedIfSet, seenBefore } from '../../../meta/field-rules.ts';
import { dns1123Subdomain, qualifiedName } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { ContainerStatus } from './container-status.ts';
import type { Pod } from './pod.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from './pod-annotations-validation.ts';
import type { PodCondition, PodIP } from './pod-status.ts';

const METADATA = Path.of('metadata');
const STATUS = Path.of('status');

/** What a report about a pod may say. */
export function validatePodStatusUpdate(pod: Pod, old: Pod, problems: Problems, context: HookContext): void {
  const { annotations } = pod.metadata;
  const path = METADATA.child('annotations');
  validatePodAnnotations(annotations, pod.spec, path, problems, context);
  validatePodAnnotationsUpdate(annotations, old.metadata.annotations, path, problems, context);
  const { status } = pod;
  validateConditions(status.conditions ?? [], problems);
  if ((pod.spec.nodeName ?? '') !== (old.spec.nodeName ?? '')) {
    problems.forbidden(STATUS.child('nodeName'), 'may not be changed directly');
  }
  if (status.nominatedNodeName !== old.status.nominatedNodeName) {
    formattedIfSet(problems, STATUS, 'nominatedNodeName', status.nominatedNodeName, dns1123Subdomain);
  }
  const { restartPolicy = '' } = old.spec;
  for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
    validateEnds(status[field], old.status[field], restartPolicy, STATUS.child(field), problems);
  }
  const field = 'ephemeralContainerStatuses';
  validateEnds(status[field], old.status[field], 'Never', STATUS.child(field), problems);
  validateAddresses(status.podIPs ?? [], STATUS.child('podIPs'), problems);
}

const OWN_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

/** Clients know the path of conditions as it is here. */
function validateConditions(conditions: readonly PodCondition[], problems: Problems): void {
  conditions.forEach(({ type }, at) => {
    if (OWN_CONDITIONS.includes(type)) return;
    formatted(problems, METADATA.child('conditions').index(at), 'Type', type, qualifiedName);
  });
}

type Statuses = readonly ContainerStatus[] | undefined;

/** A container that has ended for good stays so. */
function validateEnds(statuses: Statuses, old: Statuses, restartPolicy: string, path: Path, problems: Problems): void {
  if (restartPolicy === 'Always') return;
  const live = new Set(statuses?.filter(({ state }) => !state.terminated).map(({ name }) => name));
  old?.forEach(({ name, state: { terminated } }, at) => {
    if (!terminated || (terminated.exitCode !== 0 && restartPolicy === 'OnFailure')) return;
    if (!live.has(name)) return;
    problems.forbidden(path.index(at).child('state'), 'may not be transitioned to non-terminated state');
  });
}

function validateAddresses(addresses: readonly PodIP[], path: Path, problems: Problems): void {
  const texts = addresses.map((address) => address.ip ?? '');
  const isRepeated = seenBefore();
  texts.forEach((text, at) => {
    const problem = ip(text);
    if (problem !== undefined) problems.invalid(path.index(at), text, problem);
    if (isRepeated(text)) problems.duplicate(path.index(at), text);
  });
  const parsed = texts.map(parseAddress).filter((address) => address !== undefined);
  if (!isOnePerFamily(parsed) || (texts.length > 1 && parsed.length < texts.length)) {
    problems.invalid(path, texts, 'may specify no more than one IP for each IP family');
  }
}
