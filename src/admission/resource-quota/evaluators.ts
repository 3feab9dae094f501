import { Pod } from '../../kinds/core/pod/pod.ts';
import { Service } from '../../kinds/core/service/service.ts';
import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import { isStored, type ResourceType } from '../../registry/resource-type.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import { countEvaluator } from './count-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

/** What lives in namespaces and is kept, but for events, which say what happened rather than use anything. */
export const isCounted = ({ namespaced, plural, verbs }: ResourceType): boolean =>
  namespaced && isStored({ verbs }) && plural !== 'events';

/** Gives the evaluator of any kind that is counted. */
export type EvaluatorOf = (type: ResourceType) => Evaluator;

export function evaluatorsFor(vocabulary: Vocabulary, runtime: Runtime): EvaluatorOf {
  // By the declaration that objects are read with, so that each evaluator meets the objects it is made for.
  const special = new Map<ResourceType['schema'], Evaluator>([
    [Pod, podEvaluator(vocabulary, runtime)],
    [PersistentVolumeClaim, claimEvaluator(vocabulary)],
    [Service, serviceEvaluator],
  ]);
  const known = new WeakMap<ResourceType, Evaluator>();
  return (type) => {
    const found = known.get(type) ?? special.get(type.schema) ?? countEvaluator(type);
    known.set(type, found);
    return found;
  };
}
