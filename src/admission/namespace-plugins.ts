import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import type { PluginEntry } from './plugin.ts';

/** Plugins about what is written where. */
export const namespacePlugins: readonly PluginEntry[] = [
  {
    name: 'NamespaceLifecycle',
    byDefault: true,
    make: ({ objects, vocabulary }) => new NamespaceLifecycle(objects, vocabulary),
  },
];
