import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { namespacePlugins } from './namespace-plugins.ts';
import type { MakePlugin, PluginEntry, PluginParts } from './plugin.ts';
import { podPlugins } from './pod-plugins.ts';
import { quotaPlugins } from './quota-plugins.ts';
import { rulePlugins } from './rule-plugins.ts';
import { securityPlugins } from './security-plugins.ts';
import { webhookPlugins } from './webhook-plugins.ts';

/** The order in which plugins act, whatever order they are turned on in. */
const ORDER = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'SecurityContextDeny',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'PersistentVolumeLabel',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
];

/** Every plugin there is, in the order in which they act. */
export const PLUGINS: readonly PluginEntry[] = [
  ...namespacePlugins,
  ...podPlugins,
  ...quotaPlugins,
  ...securityPlugins,
  ...rulePlugins,
  ...webhookPlugins,
].sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));

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

/** Reads what plugins that are on have files for. `configurations`: by name, what the configuration file says. */
export function planPlugins(
  chosen: readonly PluginEntry[],
  configurations: ReadonlyMap<string, unknown>,
  vocabulary: Vocabulary,
): Promise<PlannedPlugin[]> {
  return Promise.all(
    chosen.map(async (entry) => {
      const { name } = entry;
      const configuration = configurations.get(name);
      if ('make' in entry) return { name, make: (parts) => entry.make(parts, configuration) };
      const make = await entry.read(configuration, vocabulary).catch((error: unknown) => {
        throw cannotBeMade(name, error);
      });
      return { name, make };
    }),
  );
}

export function makePlugins(planned: readonly PlannedPlugin[], parts: PluginParts): AdmissionPlugin[] {
  return planned.map(({ name, make }) => {
    try {
      return make(parts);
    } catch (error) {
      throw cannotBeMade(name, error);
    }
  });
}

const cannotBeMade = (name: string, error: unknown): Error =>
  new Error(`the admission plugin ${name} cannot be made: ${messageOf(error)}`, { cause: error });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
