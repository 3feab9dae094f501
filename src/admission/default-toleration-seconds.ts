import type { Toleration } from '../kinds/core/node/taint.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';

/** How long pods that do not say so themselves stay on a node that went away, in seconds. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** Lets pods stay for a while on nodes that stopped answering, rather than leave at once. */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly tolerated: readonly (readonly [key: string, seconds: number])[];

  constructor({ notReady, unreachable }: TolerationSeconds, { taints }: Vocabulary) {
    this.tolerated = [
      [taints.notReady, notReady],
      [taints.unreachable, unreachable],
    ];
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate({ object }: MutatingRequest): void {
    const { spec } = object as Draft<Pod>;
    const own = spec.tolerations ?? [];
    const missing = this.tolerated.filter(([key]) => !own.some((toleration) => covers(toleration, key)));
    if (missing.length === 0) return;
    const added = missing.map(
      ([key, tolerationSeconds]): Draft<Toleration> => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      }),
    );
    spec.tolerations = [...own, ...added];
  }
}

const covers = ({ key, effect }: Toleration, taint: string): boolean =>
  (key === taint || !key) && (effect === 'NoExecute' || !effect);
