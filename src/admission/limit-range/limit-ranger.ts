import type { LimitRange, LimitRangeItem } from '../../kinds/core/namespace/limit-range.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type MutatingCreate, onKind, type WriteRequest } from '../rule.ts';
import { type Amounts, boundProblems, claimProblems, podLimits, podRequests } from './bounds.ts';

const LIMIT_RANGES = { group: '', plural: 'limitranges' };

/** Gives containers what the limit ranges of their namespace say by default, and refuses what is out of their bounds. */
export function limitRanger(objects: Objects, { annotations }: Vocabulary): AdmissionPlugin {
  const rangesOf = ({ namespace }: WriteRequest<object>): LimitRange[] =>
    objects.list<LimitRange>(LIMIT_RANGES, namespace);
  const checkClaim = (request: WriteRequest<PersistentVolumeClaim>): void => {
    const requests = request.object.spec.resources.requests ?? {};
    check(request, rangesOf(request), (item) => claimProblems(item, requests));
  };
  return {
    rules: [
      // What containers use cannot change once the pod is there.
      onKind(Pod).mutate({ create: (request) => fillInAll(request, rangesOf(request), annotations.limitRanger) }),
      onKind(Pod).validate({
        create: (request) => check(request, rangesOf(request), (item) => podProblems(item, request.object)),
      }),
      onKind(PersistentVolumeClaim).validate({ write: checkClaim }),
    ],
  };
}

/** `annotation`: where the pod tells what was filled in. */
function fillInAll({ object }: MutatingCreate<Pod>, ranges: readonly LimitRange[], annotation: string): void {
  const { metadata, spec } = object;
  for (const { spec: range } of ranges) {
    const items = (range.limits ?? []).filter(({ type }) => type === 'Container');
    const told = [
      ...(spec.containers ?? []).flatMap((container) => fillIn(container, items, 'container')),
      ...(spec.initContainers ?? []).flatMap((container) => fillIn(container, items, 'init container')),
    ];
    if (told.length === 0) continue;
    metadata.annotations = { ...metadata.annotations, [annotation]: `LimitRanger plugin set: ${told.join('; ')}` };
  }
}

/** The first range with problems refuses the request with all of them. */
function check(
  request: WriteRequest<Pod | PersistentVolumeClaim>,
  ranges: readonly LimitRange[],
  problemsOf: (item: LimitRangeItem) => string[],
): void {
  for (const { spec } of ranges) {
    const problems = (spec.limits ?? []).flatMap(problemsOf);
    if (problems.length > 0) {
      throw refusal(request, problems.length === 1 ? `${problems[0]}` : `[${problems.join(', ')}]`);
    }
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
