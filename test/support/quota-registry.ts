import { AdmissionMetrics } from '../../src/admission/admission-metrics.ts';
import { AdmissionChain } from '../../src/admission/chain.ts';
import { QuotaAccounts } from '../../src/admission/resource-quota/accounts.ts';
import { ResourceQuotaPlugin } from '../../src/admission/resource-quota/resource-quota.ts';
import { SERVER_USER } from '../../src/api/user.ts';
import type { Controller } from '../../src/controllers/controller.ts';
import { resourceQuotaLoop } from '../../src/controllers/resource-quota.ts';
import { builtInNames } from '../../src/extension/definitions/built-in-names.ts';
import { builtInCatalogue } from '../../src/kinds/built-in.ts';
import { Recorder } from '../../src/observe/metrics/recorder.ts';
import { WorkQueueMetrics } from '../../src/observe/metrics/work-queue-metrics.ts';
import type { Catalogue } from '../../src/registry/catalogue.ts';
import { Informer } from '../../src/registry/informer.ts';
import { Objects } from '../../src/registry/objects.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { ApiObject, ResourceType } from '../../src/registry/resource-type.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { Backend } from '../../src/storage/backend.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { plainRegistry } from './plain-registry.ts';

const OPTIONS = { user: SERVER_USER };
const NAMESPACE = 'default';

/** As much of a server as keeps quotas, with nothing else around it. */
export class QuotaRegistry {
  readonly registry: Registry;
  readonly objects: Objects;
  readonly log: VersionLog;
  private readonly catalogue: Catalogue;
  private readonly loop: Controller;

  private constructor(log: VersionLog, registry: Registry, objects: Objects, catalogue: Catalogue, loop: Controller) {
    this.log = log;
    this.registry = registry;
    this.objects = objects;
    this.catalogue = catalogue;
    this.loop = loop;
  }

  static async open(backend: Backend, runtime: Runtime): Promise<QuotaRegistry> {
    const vocabulary = vocabularies.platform;
    const catalogue = builtInCatalogue(vocabulary);
    const log = await VersionLog.open(backend, { runtime });
    const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
    const admission = new AdmissionChain(new AdmissionMetrics(new Recorder(), runtime));
    const registry = plainRegistry({ log, runtime, vocabulary, catalogue, objects, admission });
    const accounts = new QuotaAccounts({
      objects,
      catalogue,
      registry,
      runtime,
      vocabulary,
      onError: () => {},
    });
    admission.install([{ name: 'ResourceQuota', plugin: new ResourceQuotaPlugin(accounts, []) }]);
    const onError = (error: unknown): void => {
      throw error;
    };
    const loop = resourceQuotaLoop(accounts)({
      objects,
      registry,
      catalogue,
      informer: new Informer({ objects, catalogue, onError }),
      runtime,
      queues: new WorkQueueMetrics(new Recorder(), runtime),
      vocabulary,
      rootCa: '',
      signers: { longestLife: 0, issuerFor: () => undefined },
      builtInNames: builtInNames(catalogue),
      terminatedPodThreshold: 0,
      eventTtlMs: 0,
      bootstrapTokens: false,
      collectsGarbage: false,
      signForSecret: async () => '',
      builtInPriorities: () => undefined,
      remoteKinds: { kinds: () => [], undiscovered: () => new Map() },
      availabilityOf: () => Promise.reject(new Error('the quota loop asks no other server')),
      sendAs: () => () => Promise.reject(new Error('the quota loop sends no requests')),
      onError: () => {},
    });
    return new QuotaRegistry(log, registry, objects, catalogue, loop);
  }

  async create(plural: string, document: object): Promise<void> {
    await this.registry.create(this.typeOf(plural), NAMESPACE, document, OPTIONS);
  }

  /** Puts other fields into the specification, whatever the version. */
  async change(plural: string, name: string, spec: object): Promise<void> {
    const ref = { type: this.typeOf(plural), namespace: NAMESPACE, name, subresource: '' };
    const change = (current: (ApiObject & { spec?: object }) | undefined) =>
      current && { ...current, spec: { ...current.spec, ...spec } };
    await this.registry.update(ref, change, { ...OPTIONS, patched: true });
  }

  async remove(plural: string, name: string): Promise<void> {
    await this.registry.delete(this.typeOf(plural), NAMESPACE, name, OPTIONS);
  }

  list<T extends ApiObject>(plural: string): T[] {
    return this.objects.list<T>({ group: '', plural }, NAMESPACE);
  }

  async close(): Promise<void> {
    await this.loop.close();
    await this.log.close();
  }

  private typeOf(plural: string): ResourceType {
    const type = this.catalogue.preferred('', plural);
    if (!type) throw new Error(`${plural} is not served`);
    return type;
  }
}
