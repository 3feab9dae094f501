import type { PluginEntry } from './plugin.ts';
import { readConfiguration } from './pod-security/configuration.ts';
import { PodSecurity } from './pod-security/pod-security.ts';

/** Plugins about what pods may do to the node they run on. */
export const securityPlugins: readonly PluginEntry[] = [
  {
    name: 'PodSecurity',
    byDefault: true,
    make: (parts, configuration) => new PodSecurity(parts, readConfiguration(configuration, parts.vocabulary)),
  },
];
