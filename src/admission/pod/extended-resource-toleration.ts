import type { Toleration } from '../../kinds/core/node/taint.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import { isExtended } from '../../kinds/core/resource-validation.ts';
import type { Draft } from '../../schema/draft.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { type MutatingWrite, onKind } from '../rule.ts';

const EFFECT = 'NoSchedule';

/** Lets pods that ask for a special resource onto nodes that are kept for those who do, by a taint of its name. */
export function extendedResourceToleration(vocabulary: Vocabulary): AdmissionPlugin {
  const tolerate = ({ object: { spec } }: MutatingWrite<Pod>): void => {
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const requested = new Set(containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {})));
    const special = [...requested].filter((name) => isExtended(name, vocabulary)).sort();
    const tolerations = spec.tolerations ?? [];
    const tolerated = new Set(tolerations.filter(isForAnyValue).map(({ key }) => key));
    const missing = special.filter((key) => !tolerated.has(key));
    if (missing.length > 0) spec.tolerations = [...tolerations, ...missing.map(forAnyValue)];
  };
  return { rules: [onKind(Pod).mutate({ write: tolerate })] };
}

const isForAnyValue = ({ operator, effect }: Toleration): boolean => operator === 'Exists' && effect === EFFECT;

const forAnyValue = (key: string): Draft<Toleration> => ({ key, operator: 'Exists', effect: EFFECT });
