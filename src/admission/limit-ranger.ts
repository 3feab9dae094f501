import type { LimitRange, LimitRangeItem } from '../kinds/core/namespace/limit-range.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import type { PersistentVolumeClaim } from '../kinds/core/volume/persistent-volume-claim.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { type Amounts, boundProblems, claimProblems, podLimits, podRequests } from './limit-range-bounds.ts';
import { refusal } from './refusal.ts';

const LIMIT_RANGES = { group: '', plural: 'limitranges' };

/** Gives containers what the limit ranges of their namespace say by default, and refuses what is out of their bounds. */
export class LimitRanger implements AdmissionPlugin {
  readonly name = 'LimitRanger';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly objects: Objects;
  private readonly annotation: string;

  constructor(objects: Objects, { annotations }: Vocabulary) {
    this.objects = objects;
    this.annotation = annotations.limitRanger;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && (plural === 'pods' || plural === 'persistentvolumeclaims') && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    // What containers use cannot change once the pod is there.
    if (request.type.plural !== 'pods' || request.operation !== 'CREATE') return;
    const { metadata, spec } = request.object as Draft<Pod>;
    for (const { spec: range } of this.ranges(request)) {
      const items = (range.limits ?? []).filter(({ type }) => type === 'Container');
      const told = [
        ...(spec.containers ?? []).flatMap((container) => fillIn(container, items, 'container')),
        ...(spec.initContainers ?? []).flatMap((container) => fillIn(container, items, 'init container')),
      ];
      if (told.length === 0) continue;
      metadata.annotations = {
        ...metadata.annotations,
        [this.annotation]: `LimitRanger plugin set: ${told.join('; ')}`,
      };
    }
  }

  validate(request: AdmissionRequest): void {
    const isPod = request.type.plural === 'pods';
    if (isPod && request.operation !== 'CREATE') return;
    for (const { spec } of this.ranges(request)) {
      const problems = (spec.limits ?? []).flatMap((item) =>
        isPod
          ? podProblems(item, request.object as Pod)
          : claimProblems(item, (request.object as PersistentVolumeClaim).spec.resources.requests ?? {}),
      );
      if (problems.length > 0)
        throw refusal(request, problems.length === 1 ? `${problems[0]}` : `[${problems.join(', ')}]`);
    }
  }

  private ranges({ namespace }: AdmissionRequest): LimitRange[] {
    return this.objects.list<LimitRange>(LIMIT_RANGES, namespace);
  }
}

interface Consumer {
  readonly name: string;
  resources: { limits?: Record<string, string>; requests?: Record<string, string> };
}

/** What is given stays; what is missing is filled in. Tells what was. */
function fillIn(container: Consumer, items: readonly LimitRangeItem[], sort: string): string[] {
  const told: string[] = [];
  for (const [field, word] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const given = container.resources[field] ?? {};
    const defaults: Amounts = Object.assign(
      {},
      ...items.map((item) => item[field === 'limits' ? 'default' : 'defaultRequest']),
    );
    const missing = Object.keys(defaults).filter((resource) => !Object.hasOwn(given, resource));
    if (missing.length === 0) continue;
    const filled = Object.fromEntries(missing.map((resource) => [resource, defaults[resource] ?? '0']));
    container.resources[field] = { ...given, ...filled };
    told.push(`${missing.sort().join(', ')} ${word} for ${sort} ${container.name}`);
  }
  return told;
}

function podProblems(item: LimitRangeItem, pod: Pod): string[] {
  if (item.type === 'Pod') return boundProblems(item, podRequests(pod), podLimits(pod));
  if (item.type !== 'Container') return [];
  return [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].flatMap(({ resources }) =>
    boundProblems(item, resources.requests ?? {}, resources.limits ?? {}),
  );
}
