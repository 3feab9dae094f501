import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { AdmissionChain, type AdmissionPlugin } from '../admission/chain.ts';
import { readPluginConfigurations } from '../admission/configuration-file.ts';
import type { PluginParts } from '../admission/plugin.ts';
import { chosenPlugins, makePlugins, type PlannedPlugin, planPlugins } from '../admission/plugins.ts';
import type { Settings } from '../settings.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** Reads what settings and files say about admission. Rejects with what to tell the operator when that makes no sense. */
export async function admissionPlanFor(settings: Settings, vocabulary: Vocabulary): Promise<PlannedPlugin[]> {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled, admissionControlConfigFile } = settings;
  const chosen = chosenPlugins({ enabled, disabled });
  const configurations = admissionControlConfigFile
    ? await readPluginConfigurations(admissionControlConfigFile, vocabulary)
    : new Map<string, unknown>();
  return planPlugins(chosen, configurations, vocabulary);
}

/** `always`: what cannot be turned off, and comes last. */
export const admissionChainOf = (
  planned: readonly PlannedPlugin[],
  parts: PluginParts,
  ...always: readonly AdmissionPlugin[]
): AdmissionChain =>
  new AdmissionChain([...makePlugins(planned, parts), ...always], new AdmissionMetrics(parts.recorder, parts.runtime));
