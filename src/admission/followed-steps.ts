import type { AdmissionPhase, AdmissionRequest, AdmissionSteps, MutatingRequest } from '../registry/admission.ts';
import {
  type AdmissionPlugin,
  actAmong,
  mutatingRules,
  type NamedPlugin,
  type Rule,
  validatingRules,
} from './plugin.ts';
import { Rounds } from './rounds.ts';

/** The mutating phase of a request that is followed step by step: all plugins are asked as always, one by one. */
export async function mutateInSteps(
  plugins: readonly NamedPlugin[],
  request: MutatingRequest,
  steps: AdmissionSteps,
): Promise<void> {
  const rounds = new Rounds();
  do await ask(plugins, mutatingRules, 'Mutating', request, rounds, steps);
  while (rounds.next());
}

/** As `mutateInSteps`, of the validating phase. */
export const validateInSteps = (
  plugins: readonly NamedPlugin[],
  request: AdmissionRequest,
  steps: AdmissionSteps,
): Promise<void> => ask(plugins, validatingRules, 'Validating', request, new Rounds(), steps);

async function ask<R extends AdmissionRequest>(
  plugins: readonly NamedPlugin[],
  rulesOf: (plugin: AdmissionPlugin) => readonly Rule<R>[],
  phase: AdmissionPhase,
  request: R,
  rounds: Rounds,
  steps: AdmissionSteps,
): Promise<void> {
  const { operation, type, subresource } = request;
  await steps.phase(phase, rounds.isRepeated ? 1 : 0, request);
  for (const { name, plugin } of plugins) {
    const rules = rulesOf(plugin);
    if (rules.length === 0) continue;
    const step = { type: 'Plugin', name, within: '' } as const;
    const act = actAmong(rules, operation, type, subresource);
    if (!act) {
      steps.passedOver(step);
      continue;
    }
    const open = steps.begin(step, request);
    try {
      await act(request, rounds);
      open.end();
    } catch (error) {
      open.end(error);
      throw error;
    } finally {
      await steps.settle();
    }
  }
}
