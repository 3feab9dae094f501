import { readPluginConfigurations } from '../admission/configuration-file.ts';
import { chosenPlugins, type PlannedPlugin, planPlugins } from '../admission/plugin-choice.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Reads what settings and files say about admission. Rejects with what to tell the operator when that makes no sense. */
export async function planAdmission(settings: Settings, vocabulary: Vocabulary): Promise<PlannedPlugin[]> {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled, admissionControlConfigFile } = settings;
  const chosen = chosenPlugins({ enabled, disabled });
  const configurations = admissionControlConfigFile
    ? await readPluginConfigurations(admissionControlConfigFile, vocabulary)
    : new Map<string, unknown>();
  return planPlugins(chosen, configurations, vocabulary);
}
