import type { Node } from '../kinds/core/node/node.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';

/** A new node is not ready until somebody has seen that it is: nothing is placed on it before. */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = 'TaintNodesByCondition';
  readonly operations = ['CREATE'] as const;
  private readonly key: string;

  constructor({ taints }: Vocabulary) {
    this.key = taints.notReady;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'nodes' && subresource === '';
  }

  mutate({ object }: MutatingRequest): void {
    const { spec } = object as Draft<Node>;
    const own = spec.taints ?? [];
    if (own.some(({ key, effect }) => key === this.key && effect === 'NoSchedule')) return;
    spec.taints = [...own, { key: this.key, effect: 'NoSchedule' }];
  }
}
