import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { NamedPlugin } from './plugin.ts';
import type { MakePlugin, PluginEntry, PluginSources } from './plugin-entry.ts';
import { PLUGINS } from './plugins.ts';

/** Which plugins are turned on and off beside those that are on by default. */
export interface PluginChoice {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** The plugins that are on, in order. Throws an Error of one line about a name that no plugin has or that is on both sides. */
export function chosenPlugins({ enabled, disabled }: PluginChoice): PluginEntry[] {
  for (const name of [...enabled, ...disabled]) {
    if (!PLUGINS.some((entry) => entry.name === name)) throw new Error(`there is no admission plugin "${name}"`);
  }
  const both = enabled.find((name) => disabled.includes(name));
  if (both !== undefined) throw new Error(`the admission plugin ${both} is both enabled and disabled`);
  return PLUGINS.filter(({ name, byDefault }) => enabled.includes(name) || (byDefault && !disabled.includes(name)));
}

/** A plugin whose configuration has been read. */
export interface PlannedPlugin {
  readonly name: string;
  readonly make: MakePlugin;
}

/**
 * Reads the configurations of plugins that are on. Rejects with an Error of one line that names the plugin.
 * `configurations`: by name, what the configuration file says.
 */
export const planPlugins = (
  chosen: readonly PluginEntry[],
  configurations: ReadonlyMap<string, unknown>,
  vocabulary: Vocabulary,
): Promise<PlannedPlugin[]> =>
  Promise.all(
    chosen.map(async (entry) => {
      const { name } = entry;
      if ('make' in entry) return { name, make: entry.make };
      try {
        return { name, make: await entry.configure(configurations.get(name), vocabulary) };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`the admission plugin ${name} cannot be made: ${why}`, { cause: error });
      }
    }),
  );

export const makePlugins = (planned: readonly PlannedPlugin[], sources: PluginSources): NamedPlugin[] =>
  planned.map(({ name, make }) => ({ name, plugin: make(sources) }));
