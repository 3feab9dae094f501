import type { Toleration } from '../kinds/core/node/taint.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import { isExtended } from '../kinds/core/resource-validation.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';

/** Lets pods that ask for a special resource onto nodes that are kept for those who do, by a taint of its name. */
export class ExtendedResourceToleration implements AdmissionPlugin {
  readonly name = 'ExtendedResourceToleration';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate({ object }: MutatingRequest): void {
    const { spec } = object as Draft<Pod>;
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const requested = new Set(containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {})));
    const special = [...requested].filter((name) => isExtended(name, this.vocabulary)).sort();
    const tolerations = spec.tolerations ?? [];
    const tolerated = new Set(tolerations.filter(isForAnyValue).map(({ key }) => key));
    const missing = special.filter((key) => !tolerated.has(key));
    if (missing.length === 0) return;
    spec.tolerations = [
      ...tolerations,
      ...missing.map((key): Draft<Toleration> => ({ key, operator: 'Exists', effect })),
    ];
  }
}

const effect = 'NoSchedule';

const isForAnyValue = (one: Toleration): boolean => one.operator === 'Exists' && one.effect === effect;
