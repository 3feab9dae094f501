import { optionalText } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { generator } from './generating.ts';
import { labelPairs } from './label-pairs.ts';

const amount = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

export const createDisruptionBudget = generator({
  usage: 'create poddisruptionbudget NAME --selector=SELECTOR --min-available=N',
  about: 'Creates a budget for how many pods may be disrupted at a time.',
  failing: 'failed to create poddisruptionbudgets:',
  flags: {
    selector: optionalText('selector', 'LABELS', 'labels of the pods'),
    minAvailable: optionalText('min-available', 'N', 'how many, or what part of them, stay'),
    maxUnavailable: optionalText('max-unavailable', 'N', 'how many, or what part of them, may be away'),
  },
  make({ flags, meta }) {
    const { selector, minAvailable, maxUnavailable } = flags;
    if (selector === undefined) throw new CommandError('a selector must be specified');
    if (minAvailable === undefined && maxUnavailable === undefined) {
      throw new CommandError('one of min-available or max-unavailable must be specified');
    }
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      throw new CommandError('min-available and max-unavailable cannot be both specified');
    }
    return {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: meta(),
      spec: {
        ...(minAvailable === undefined ? {} : { minAvailable: amount(minAvailable) }),
        selector: { matchLabels: labelPairs(selector) },
        ...(maxUnavailable === undefined ? {} : { maxUnavailable: amount(maxUnavailable) }),
      },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    };
  },
});
