import { AdmissionChain, type AdmissionPlugin } from './admission/chain.ts';
import { readPluginConfigurations } from './admission/configuration-file.ts';
import type { PluginEntry, PluginParts } from './admission/plugin.ts';
import { chosenPlugins, makePlugins } from './admission/plugins.ts';
import type { Settings } from './settings.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Which plugins are to be made, and of what. */
export interface AdmissionPlan {
  readonly chosen: readonly PluginEntry[];
  readonly configurations: ReadonlyMap<string, unknown>;
}

/** Reads what settings and files say about admission. Rejects with what to tell the operator when that makes no sense. */
export async function admissionPlanFor(settings: Settings, vocabulary: Vocabulary): Promise<AdmissionPlan> {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled, admissionControlConfigFile } = settings;
  const chosen = chosenPlugins({ enabled, disabled });
  const configurations = admissionControlConfigFile
    ? await readPluginConfigurations(admissionControlConfigFile, vocabulary)
    : new Map<string, unknown>();
  return { chosen, configurations };
}

/** `always`: what cannot be turned off, and comes last. */
export const admissionChainOf = (
  { chosen, configurations }: AdmissionPlan,
  parts: PluginParts,
  ...always: readonly AdmissionPlugin[]
): AdmissionChain => new AdmissionChain([...makePlugins(chosen, configurations, parts), ...always]);
