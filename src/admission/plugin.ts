import type { Recorder } from '../observe/metrics/recorder.ts';
import type { ClusterNetwork } from '../outbound/network.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AccessCheck } from './access-check.ts';
import type { AdmissionPlugin } from './chain.ts';
import type { TolerationSeconds } from './default-toleration-seconds.ts';
import type { QuotaAccounts } from './resource-quota/accounts.ts';

/** What plugins are made of. */
export interface PluginParts {
  readonly objects: Objects;
  readonly informer: Informer;
  readonly catalogue: Catalogue;
  /** The front door, which opens only after the chain is made: not to be asked for before the first request. */
  registry(): Registry;
  readonly may: AccessCheck;
  readonly quotas: QuotaAccounts;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  /** From the flags. */
  readonly tolerationSeconds: TolerationSeconds;
  /** How long clients are expected to wait for an answer. */
  readonly requestTimeoutMs: number;
  /** How services and pods are reached. */
  readonly network: ClusterNetwork;
  readonly recorder: Recorder;
  /** What went wrong beside any request. */
  onError(plugin: string, error: unknown): void;
}

/** A plugin that can be turned on and off by name. */
export type PluginEntry = { readonly name: string; readonly byDefault: boolean } & (Makes | Reads);

interface Makes {
  /**
   * `configuration` is what the configuration file says under the plugin's name, undefined when it says nothing.
   * Throws an Error of one line when that makes no sense.
   */
  make(parts: PluginParts, configuration: unknown): AdmissionPlugin;
}

/** For a configuration that names files. */
interface Reads {
  /** As `make`, in two steps: files are read before the server opens anything. */
  read(configuration: unknown, vocabulary: Vocabulary): Promise<MakePlugin>;
}

export type MakePlugin = (parts: PluginParts) => AdmissionPlugin;
