import type { ResourceQuota } from '../../kinds/core/namespace/resource-quota.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import type { Rest } from '../../runtime/pacing.ts';
import type { Quantity } from '../../schema/quantity.ts';
import type { Version } from '../../storage/log/version.ts';
import { scopesOf } from './balance.ts';
import { type Evaluator, isInAll } from './evaluator.ts';
import { type EvaluatorOf, isCounted } from './evaluators.ts';
import type { Claim } from './judgement.ts';
import { addTo, excess, NOTHING, times, type Usage, ZERO } from './usage.ts';

export interface MeasureParts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  readonly evaluatorOf: EvaluatorOf;
}

/** The kinds of which a quota counts something, each stored kind once. */
export const countedBy = ({ catalogue, evaluatorOf }: MeasureParts, { spec }: ResourceQuota): ResourceType[] =>
  [...catalogue.kinds()]
    .map(({ storage }) => storage)
    .filter((type) => isCounted(type) && namesOf(spec, evaluatorOf(type)).size > 0);

const namesOf = ({ hard = {} }: ResourceQuota['spec'], evaluator: Evaluator): Set<string> =>
  new Set(Object.keys(hard).filter((name) => evaluator.counts(name)));

/**
 * How much is in use of what a quota bounds: by what is stored, and by `holds`, the writes of this server that were
 * charged and are on their way. All within one turn, so that nothing is seen twice or missed.
 */
export function measure(parts: MeasureParts, quota: ResourceQuota, holds: Iterable<Claim>): Usage {
  const { namespace = '' } = quota.metadata;
  const scopes = scopesOf(quota.spec);
  const total = new Map<string, Quantity>();
  for (const type of countedBy(parts, quota)) {
    const evaluator = parts.evaluatorOf(type);
    const names = namesOf(quota.spec, evaluator);
    for (const name of names) total.set(name, total.get(name) ?? ZERO);
    const isNamed = (name: string): boolean => names.has(name);
    if (!evaluator.each) {
      for (const version of parts.objects.versions(type, namespace)) {
        if (scopes.length === 0 || isInAll(evaluator, parts.objects.of(version), scopes)) {
          addTo(total, usageIn(parts.objects, evaluator, version), isNamed);
        }
      }
    } else if (scopes.length === 0) {
      addTo(total, times(evaluator.each, parts.objects.count(type, namespace)), isNamed);
    }
  }
  for (const hold of holds) {
    if (isInAll(hold.evaluator, hold.object, scopes))
      addTo(total, pending(parts.objects, hold), (name) => total.has(name));
  }
  return total;
}

/**
 * Looks at all that `measure` will, a little at a time, so that measuring takes no longer than adding up what is known of
 * each object.
 */
export async function lookThrough(parts: MeasureParts, quota: ResourceQuota, rest: Rest): Promise<void> {
  const { namespace = '' } = quota.metadata;
  for (const type of countedBy(parts, quota)) {
    const evaluator = parts.evaluatorOf(type);
    if (evaluator.each) continue;
    for (const version of parts.objects.versions(type, namespace)) {
      usageIn(parts.objects, evaluator, version);
      await rest();
    }
  }
}

/** A few numbers for each object that a quota counts, while it is stored. */
const known = new WeakMap<Version, Usage>();

/** Versions do not change, so that each is looked at once; but those that are going end with time. */
function usageIn(objects: Objects, evaluator: Evaluator, version: Version): Usage {
  const found = known.get(version);
  if (found) return found;
  const object = objects.of(version);
  const usage = evaluator.usage(object);
  if (!object.metadata.deletionTimestamp) known.set(version, usage);
  return usage;
}

/** What a write will add to what is stored; nothing once it is stored itself. */
function pending(objects: Objects, { type, namespace, name, evaluator, usage }: Claim): Usage {
  const stored = objects.get<ApiObject>(type, namespace, name);
  return excess(usage, stored ? evaluator.usage(stored) : NOTHING);
}
