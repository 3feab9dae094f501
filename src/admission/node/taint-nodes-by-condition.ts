import { Node } from '../../kinds/core/node/node.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind } from '../rule.ts';

const EFFECT = 'NoSchedule';

/** A new node is not ready until somebody has seen that it is: nothing is placed on it before. */
export const taintNodesByCondition = ({ taints }: Vocabulary): AdmissionPlugin => ({
  rules: [
    onKind(Node).mutate({
      create({ object: { spec } }) {
        const own = spec.taints ?? [];
        if (own.some(({ key, effect }) => key === taints.notReady && effect === EFFECT)) return;
        spec.taints = [...own, { key: taints.notReady, effect: EFFECT }];
      },
    }),
  ],
});
