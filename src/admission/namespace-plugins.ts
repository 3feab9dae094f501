import { AlwaysAdmit, AlwaysDeny } from './always.ts';
import { NamespaceAutoProvision } from './namespace-auto-provision.ts';
import { NamespaceExists } from './namespace-exists.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import type { PluginEntry } from './plugin.ts';

/** Plugins about what is written where, or at all. */
export const namespacePlugins: readonly PluginEntry[] = [
  {
    name: 'NamespaceLifecycle',
    byDefault: true,
    make: ({ objects, vocabulary }) => new NamespaceLifecycle(objects, vocabulary),
  },
  { name: 'NamespaceAutoProvision', byDefault: false, make: (parts) => new NamespaceAutoProvision(parts) },
  { name: 'NamespaceExists', byDefault: false, make: ({ objects }) => new NamespaceExists(objects) },
  { name: 'AlwaysAdmit', byDefault: false, make: () => new AlwaysAdmit() },
  { name: 'AlwaysDeny', byDefault: false, make: () => new AlwaysDeny() },
];
