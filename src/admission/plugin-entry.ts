import type { Features } from '../features/features.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import type { ClusterNetwork } from '../outbound/network.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AccessCheck, DecideAccess } from './access-check.ts';
import type { NamespaceSource } from './namespace/namespace-source.ts';
import type { AdmissionPlugin } from './plugin.ts';
import type { TolerationSeconds } from './pod/default-toleration-seconds.ts';
import type { QuotaAccounts } from './resource-quota/accounts.ts';

/** All that plugins can be made from. The table hands each of them what it takes; none sees the whole. */
export interface PluginSources {
  readonly objects: Objects;
  readonly informer: Informer;
  /** Who knows of the namespaces that things are written into. */
  readonly namespaces: NamespaceSource;
  readonly catalogue: Catalogue;
  readonly registry: Registry;
  readonly may: AccessCheck;
  readonly decideAccess: DecideAccess;
  readonly quotas: QuotaAccounts;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly features: Features;
  /** From the flags. */
  readonly tolerationSeconds: TolerationSeconds;
  /** How long clients are expected to wait for an answer. */
  readonly requestTimeoutMs: number;
  /** How services and pods are reached. */
  readonly network: ClusterNetwork;
  readonly recorder: Recorder;
  /** What went wrong beside any request. `who`: the plugin, or the webhook that it asked. */
  onError(who: string, error: unknown): void;
}

export type MakePlugin = (sources: PluginSources) => AdmissionPlugin;

/** A plugin that can be turned on and off by name. */
export type PluginEntry = {
  readonly name: string;
  readonly byDefault: boolean;
  /** In a few words, for whoever chooses. */
  readonly does: string;
} & (Made | Configured);

interface Made {
  readonly make: MakePlugin;
}

interface Configured {
  /**
   * Reads what the configuration file says under the plugin's name, undefined when it says nothing, and the files that it
   * names: before the server opens anything. Throws an Error of one line when that makes no sense.
   */
  configure(given: unknown, vocabulary: Vocabulary): MakePlugin | Promise<MakePlugin>;
}
