import type { Toleration } from '../../kinds/core/node/taint.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import type { Draft } from '../../schema/draft.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { type MutatingWrite, onKind } from '../rule.ts';

/** How long pods that do not say so themselves stay on a node that went away, in seconds. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** Lets pods stay for a while on nodes that stopped answering, rather than leave at once. */
export function defaultTolerationSeconds(
  { notReady, unreachable }: TolerationSeconds,
  { taints }: Vocabulary,
): AdmissionPlugin {
  const tolerated = [
    [taints.notReady, notReady],
    [taints.unreachable, unreachable],
  ] as const;
  const tolerate = ({ object: { spec } }: MutatingWrite<Pod>): void => {
    const own = spec.tolerations ?? [];
    const missing = tolerated.filter(([key]) => !own.some((toleration) => covers(toleration, key)));
    if (missing.length > 0) spec.tolerations = [...own, ...missing.map(([key, seconds]) => forSome(key, seconds))];
  };
  return { rules: [onKind(Pod).mutate({ write: tolerate })] };
}

const covers = ({ key, effect }: Toleration, taint: string): boolean =>
  (key === taint || !key) && (effect === 'NoExecute' || !effect);

const forSome = (key: string, tolerationSeconds: number): Draft<Toleration> => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});
