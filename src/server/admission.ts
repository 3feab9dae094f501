import { readPluginConfigurations } from '../admission/configuration-file.ts';
import { chosenPlugins, type PlannedPlugin, type PluginChoice, planPlugins } from '../admission/plugin-choice.ts';
import { PLUGINS } from '../admission/plugins.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Reads what settings and files say about admission. Rejects with what to tell the operator when that makes no sense. */
export async function planAdmission(settings: Settings, vocabulary: Vocabulary): Promise<PlannedPlugin[]> {
  const { admissionControlConfigFile } = settings;
  const chosen = chosenPlugins(choiceIn(settings));
  const configurations = admissionControlConfigFile
    ? await readPluginConfigurations(admissionControlConfigFile, vocabulary)
    : new Map<string, unknown>();
  return planPlugins(chosen, configurations, vocabulary);
}

/** The older flag names all that are on; the newer ones what is otherwise than usual. */
function choiceIn(settings: Settings): PluginChoice {
  const { admissionControl: only, enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled } = settings;
  if (only.length === 0) return { enabled, disabled };
  if (enabled.length > 0 || disabled.length > 0) {
    throw new Error(
      '--admission-control cannot be given with --enable-admission-plugins or --disable-admission-plugins',
    );
  }
  const others = PLUGINS.filter(({ name, byDefault }) => byDefault && !only.includes(name)).map(({ name }) => name);
  return { enabled: only, disabled: others };
}
