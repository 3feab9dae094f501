import { describe, it } from 'vitest';
import { pod, refuses } from '../../../../test/pods.ts';

describe('where a pod may run', () => {
  const needed = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
  const nodes = (term: unknown) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: term === null ? [] : [term] },
    },
  });
  const near = 'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]';
  const pods = (weight: number, podAffinityTerm: unknown) => ({
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] },
  });

  it.each([
    [nodes(null), `Required ${needed}.nodeSelectorTerms`],
    [
      nodes({ matchExpressions: [{ key: 'a b', operator: 'Exists' }] }),
      `Invalid ${needed}.nodeSelectorTerms[0].matchExpressions[0].key`,
    ],
    [
      nodes({ matchExpressions: [{ key: 'a', operator: 'Near' }] }),
      `Invalid ${needed}.nodeSelectorTerms[0].matchExpressions[0].operator`,
    ],
    [
      nodes({ matchExpressions: [{ key: 'a', operator: 'In' }] }),
      `Required ${needed}.nodeSelectorTerms[0].matchExpressions[0].values`,
    ],
    [
      nodes({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
      `Forbidden ${needed}.nodeSelectorTerms[0].matchExpressions[0].values`,
    ],
    [
      nodes({ matchExpressions: [{ key: 'a', operator: 'Lt', values: ['1', '2'] }] }),
      `Required ${needed}.nodeSelectorTerms[0].matchExpressions[0].values`,
    ],
    [
      nodes({ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['a'] }] }),
      `Invalid ${needed}.nodeSelectorTerms[0].matchFields[0].key`,
    ],
    [
      nodes({ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] }),
      `Invalid ${needed}.nodeSelectorTerms[0].matchFields[0].operator`,
    ],
    [
      nodes({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [] }] }),
      `Required ${needed}.nodeSelectorTerms[0].matchFields[0].values`,
    ],
    [pods(0, { topologyKey: 'a' }), `Invalid ${near}.weight`],
    [pods(101, { topologyKey: 'a' }), `Invalid ${near}.weight`],
    [pods(1, { topologyKey: 'a b' }), `Invalid ${near}.podAffinityTerm.topologyKey`],
    [
      pods(1, { topologyKey: '' }),
      [`Required ${near}.podAffinityTerm.topologyKey`, `Invalid ${near}.podAffinityTerm.topologyKey`],
    ],
    [
      pods(1, { topologyKey: 'a', labelSelector: { matchLabels: { a: 'b c' } } }),
      `Invalid ${near}.podAffinityTerm.labelSelector.matchLabels`,
    ],
    [
      pods(1, { topologyKey: 'a', namespaceSelector: { matchLabels: { a: 'b c' } } }),
      `Invalid ${near}.podAffinityTerm.namespaceSelector.matchLabels`,
    ],
    [pods(1, { topologyKey: 'a', namespaces: ['A'] }), `Invalid ${near}.podAffinityTerm.namespace`],
  ])('affinity %j is refused', (affinity, cause) => {
    refuses(pod({ affinity }), ...[cause].flat());
  });

  it.each([
    [{ key: 'a b', operator: 'Exists' }, 'Invalid spec.tolerations[0].key'],
    [{ operator: 'Equal', value: 'a' }, 'Invalid spec.tolerations[0].operator'],
    [{ key: 'a', operator: 'Like' }, 'NotSupported spec.tolerations[0].operator'],
    [{ key: 'a', value: 'b c' }, 'Invalid spec.tolerations[0].operator'],
    [{ key: 'a', operator: 'Exists', value: 'b' }, 'Invalid spec.tolerations[0].operator'],
    [{ key: 'a', operator: 'Exists', effect: 'Odd' }, 'NotSupported spec.tolerations[0].effect'],
    [{ key: 'a', operator: 'Exists', tolerationSeconds: 1 }, 'Invalid spec.tolerations[0].effect'],
  ])('toleration %j is refused', (toleration, cause) => {
    refuses(pod({ tolerations: [toleration] }), cause);
  });

  const spread = { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' };
  const at = 'spec.topologySpreadConstraints[0]';

  it.each([
    [[{ ...spread, maxSkew: 0 }], `Invalid ${at}.maxSkew`],
    [[{ ...spread, topologyKey: '' }], `Required ${at}.topologyKey`],
    [[{ ...spread, whenUnsatisfiable: 'Odd' }], `NotSupported ${at}.whenUnsatisfiable`],
    [[{ ...spread, whenUnsatisfiable: '' }], `NotSupported ${at}.whenUnsatisfiable`],
    [[spread, spread], `Duplicate ${at}.{topologyKey, whenUnsatisfiable}`],
    [[{ ...spread, minDomains: 0 }], `Invalid ${at}.minDomains`],
    [[{ ...spread, minDomains: 1, whenUnsatisfiable: 'ScheduleAnyway' }], `Invalid ${at}.minDomains`],
  ])('constraints %j are refused', (topologySpreadConstraints, cause) => {
    refuses(pod({ topologySpreadConstraints }), cause);
  });
});
