import { DefaultTolerationSeconds } from './default-toleration-seconds.ts';
import { LimitRanger } from './limit-ranger.ts';
import type { PluginEntry } from './plugin.ts';
import { Priority } from './priority.ts';
import { RuntimeClass } from './runtime-class.ts';
import { ServiceAccount } from './service-account.ts';
import { TaintNodesByCondition } from './taint-nodes-by-condition.ts';

/** Plugins about pods and where they run. */
export const podPlugins: readonly PluginEntry[] = [
  { name: 'LimitRanger', byDefault: true, make: ({ objects, vocabulary }) => new LimitRanger(objects, vocabulary) },
  { name: 'ServiceAccount', byDefault: true, make: (parts) => new ServiceAccount(parts) },
  { name: 'TaintNodesByCondition', byDefault: true, make: ({ vocabulary }) => new TaintNodesByCondition(vocabulary) },
  {
    name: 'Priority',
    byDefault: true,
    make: ({ objects, vocabulary }) => new Priority(objects, vocabulary.groups.scheduling),
  },
  {
    name: 'DefaultTolerationSeconds',
    byDefault: true,
    make: ({ tolerationSeconds, vocabulary }) => new DefaultTolerationSeconds(tolerationSeconds, vocabulary),
  },
  {
    name: 'RuntimeClass',
    byDefault: true,
    make: ({ objects, vocabulary }) => new RuntimeClass(objects, vocabulary.groups.node),
  },
];
