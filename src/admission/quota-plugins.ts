import type { PluginEntry } from './plugin.ts';
import { readConfiguration } from './resource-quota/configuration.ts';
import { ResourceQuotaPlugin } from './resource-quota/resource-quota.ts';

/** Plugins about how much of everything a namespace may use. */
export const quotaPlugins: readonly PluginEntry[] = [
  {
    name: 'ResourceQuota',
    byDefault: true,
    make: ({ quotas, vocabulary }, configuration) =>
      new ResourceQuotaPlugin(quotas, readConfiguration(configuration, vocabulary)),
  },
];
