import { AlwaysPullImages } from './always-pull-images.ts';
import { DefaultTolerationSeconds } from './default-toleration-seconds.ts';
import { ExtendedResourceToleration } from './extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { LimitRanger } from './limit-ranger.ts';
import type { PluginEntry } from './plugin.ts';
import { PodNodeSelector } from './pod-node-selector.ts';
import { PodTolerationRestriction } from './pod-toleration-restriction.ts';
import { Priority } from './priority.ts';
import { RuntimeClass } from './runtime-class.ts';
import { SecurityContextDeny } from './security-context-deny.ts';
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
  { name: 'SecurityContextDeny', byDefault: false, make: () => new SecurityContextDeny() },
  {
    name: 'LimitPodHardAntiAffinityTopology',
    byDefault: false,
    make: ({ vocabulary }) => new LimitPodHardAntiAffinityTopology(vocabulary),
  },
  { name: 'AlwaysPullImages', byDefault: false, make: () => new AlwaysPullImages() },
  {
    name: 'PodNodeSelector',
    byDefault: false,
    make: ({ objects, vocabulary }, given) => new PodNodeSelector(objects, vocabulary, given),
  },
  {
    name: 'PodTolerationRestriction',
    byDefault: false,
    make: ({ objects, vocabulary }, given) => new PodTolerationRestriction(objects, vocabulary, given),
  },
  {
    name: 'ExtendedResourceToleration',
    byDefault: false,
    make: ({ vocabulary }) => new ExtendedResourceToleration(vocabulary),
  },
];
