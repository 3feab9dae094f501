import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalise } from '../../../schema/derive/canonical.ts';
import { PodSpec } from './pod-spec.ts';
import { qosClassOf } from './qos-class.ts';

type Amounts = Record<string, string>;
interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

const classOf = (containers: readonly Resources[], initContainers: readonly Resources[] = []): string => {
  const all = (list: readonly Resources[]) => list.map((resources) => ({ resources }));
  return qosClassOf(canonicalise(PodSpec, { containers: all(containers), initContainers: all(initContainers) }).value);
};

const full = { cpu: '500m', memory: '1Gi' };

describe('the quality of service of a pod', () => {
  it.each([
    ['BestEffort', [{}], []],
    ['BestEffort', [{ requests: { cpu: '0', 'ephemeral-storage': '1Gi' } }], []],
    ['Guaranteed', [{ requests: full, limits: full }], []],
    ['Guaranteed', [{ requests: { cpu: '0.5', memory: '1024Mi' }, limits: full }], []],
    ['Burstable', [{ requests: full, limits: full }, {}], []],
    ['Burstable', [{ requests: full, limits: full }], [{}]],
    ['Burstable', [{ requests: { cpu: '100m', memory: '1Gi' }, limits: full }], []],
    ['Burstable', [{ requests: { cpu: '1' }, limits: { cpu: '1' } }], []],
    ['Burstable', [{ limits: full }], []],
    ['Burstable', [{ requests: { cpu: '1' } }], []],
  ])('is %s for %j and %j', (wanted, containers: Resources[], initContainers: Resources[]) => {
    expect(classOf(containers, initContainers)).toBe(wanted);
  });

  it('does not depend on the order of containers', () => {
    const amounts = fc.record({ cpu: fc.constantFrom('0', '1', '2'), memory: fc.constantFrom('0', '1Gi') });
    const resources = fc.record({ requests: amounts, limits: amounts });
    fc.assert(
      fc.property(fc.array(resources, { maxLength: 4 }), (containers) => {
        expect(classOf(containers.toReversed())).toBe(classOf(containers));
      }),
    );
  });
});
