import { qualifiedResource } from '../../api/errors.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Evaluator } from './evaluator.ts';
import { ONE } from './usage.ts';

/** Kinds that quotas could count before they could count any kind, under the plain name. */
const PLAIN_NAMES = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

/** The resource that stands for how many objects of a kind there are. */
export const countOf = (group: string, plural: string): string =>
  `count/${qualifiedResource({ group, resource: plural })}`;

/** Objects of which only the number counts. */
export function countEvaluator({ group, plural }: ResourceType): Evaluator {
  const names = [countOf(group, plural), ...(group === '' && PLAIN_NAMES.has(plural) ? [plural] : [])];
  const each = new Map(names.map((name) => [name, ONE]));
  return { changes: false, counts: (resource) => each.has(resource), usage: () => each, each };
}
