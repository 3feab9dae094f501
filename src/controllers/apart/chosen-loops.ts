import type { Loop } from '../loop.ts';
import type { LoopMaterials } from '../loop-materials.ts';
import { LOOPS, readLoopChoice } from '../loop-table.ts';

export const LOOP_NAMES: readonly string[] = LOOPS.map(({ name }) => name);

/** What a process beside a plane has of `LoopMaterials`; undefined: the operator has not given it. */
export type GivenMaterials = {
  readonly [K in keyof LoopMaterials]: LoopMaterials[K] | undefined;
};

/** Loops that do nothing without a material, by what they need. */
const NEEDS: Readonly<Record<string, keyof LoopMaterials>> = {
  'root-ca-cert-publisher': 'rootCa',
  'serviceaccount-token': 'signForSecret',
  csrsigning: 'signers',
};

/**
 * The loops that are meant by the setting `controllers` and have what they need. Throws an Error of one line about a name
 * that no loop has.
 */
export function chosenLoops(entries: readonly string[], given: GivenMaterials): Loop[] {
  const choice = readLoopChoice(entries);
  const materials: LoopMaterials = {
    rootCa: given.rootCa ?? '',
    signers: given.signers ?? { longestLife: 0, issuerFor: () => undefined },
    terminatedPodThreshold: given.terminatedPodThreshold ?? 0,
    signForSecret: given.signForSecret ?? (() => Promise.reject(new Error('no key was given to sign tokens with'))),
  };
  const hasNeeds = (name: string): boolean => {
    const need = NEEDS[name];
    return need === undefined || given[need] !== undefined;
  };
  return LOOPS.filter(({ name, byDefault }) => choice.includes(name, byDefault === 'always') && hasNeeds(name)).map(
    ({ make }) => make(materials),
  );
}
