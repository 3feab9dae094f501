import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { AdmissionChain } from '../admission/chain.ts';
import { storedNamespaces } from '../admission/namespace/namespace-source.ts';
import { makePlugins } from '../admission/plugin-choice.ts';
import { QuotaAccounts } from '../admission/resource-quota/accounts.ts';
import { accessCheckOf, accessDecisionsOf } from '../authorization/access-check.ts';
import { EscalationGuard } from '../authorization/rbac/escalation-guard.ts';
import { ServiceAllocator } from '../kinds/core/service/service-allocator.ts';
import { collectAddresses } from '../observe/metrics/address-metrics.ts';
import { Encoder } from '../registry/encoding.ts';
import { FieldsOfNew } from '../registry/fields-of-new.ts';
import type { Informer } from '../registry/informer.ts';
import { LiveObjects } from '../registry/live-objects.ts';
import type { Objects } from '../registry/objects.ts';
import { Registry } from '../registry/registry.ts';
import type { CommitObserver } from '../registry/write.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import type { Plan } from './plan.ts';

/** The front door, with what stands behind it. */
export interface AssembledRegistry {
  readonly registry: Registry;
  readonly services: ServiceAllocator;
  readonly quotas: QuotaAccounts;
  /** Lets go of what admission plugins hold. */
  close(): void;
}

export interface RegistrySources {
  readonly objects: Objects;
  readonly informer: Informer;
  /** Told of what is written. */
  readonly commits: CommitObserver;
}

/** A chain without plugins, the registry that asks it, the plugins that write through the registry: in this order. */
export function assembleRegistry(log: VersionLog, sources: RegistrySources, plan: Plan): AssembledRegistry {
  const { objects, informer, commits } = sources;
  const { settings, runtime, vocabulary, features, catalogue, logger } = plan;
  const admission = new AdmissionChain(new AdmissionMetrics(plan.metrics.recorder, runtime));
  const services = new ServiceAllocator(plan.serviceRanges, runtime);
  services.follow(informer);
  collectAddresses(plan.metrics.recorder, () => services.addressUse());
  const registry = new Registry({
    log,
    runtime,
    vocabulary,
    features,
    admission,
    commits,
    services,
    encoder: new Encoder(runtime),
    fieldsOfNew: new FieldsOfNew(),
    live: new LiveObjects(objects),
    allowPrivileged: settings.allowPrivileged,
    collectsGarbage: settings.enableGarbageCollector,
    servedAs: (hub, apiVersion) => catalogue.servedAs(hub, apiVersion),
    kindOf: (type) => catalogue.kindOf(type),
  });
  const quotas = new QuotaAccounts({
    objects,
    catalogue,
    runtime,
    vocabulary,
    registry,
    onError: (error) => logger.warn({ err: error }, 'quotas will be measured again'),
  });
  installPlugins(admission, plan, { registry, informer, objects, quotas });
  return { registry, services, quotas, close: () => admission.close() };
}

interface PluginSources {
  readonly registry: Registry;
  readonly informer: Informer;
  readonly objects: Objects;
  readonly quotas: QuotaAccounts;
}

function installPlugins(admission: AdmissionChain, plan: Plan, sources: PluginSources): void {
  const { settings, runtime, vocabulary, features, catalogue, network, logger } = plan;
  const { inAdmission, rbac } = plan.authorization;
  const plugins = makePlugins(plan.admission, {
    ...sources,
    namespaces: plan.front?.namespaces ?? storedNamespaces(sources.objects),
    catalogue,
    network,
    runtime,
    vocabulary,
    features,
    may: accessCheckOf(inAdmission),
    decideAccess: accessDecisionsOf(inAdmission),
    requestTimeoutMs: settings.requestTimeout,
    recorder: plan.metrics.recorder,
    tolerationSeconds: {
      notReady: settings.defaultNotReadyTolerationSeconds,
      unreachable: settings.defaultUnreachableTolerationSeconds,
    },
    onError: (plugin, error) => logger.warn({ plugin, err: error }, 'an admission plugin had a problem'),
  });
  // What cannot be turned off comes last.
  const guard = new EscalationGuard(rbac, inAdmission, vocabulary.groups.rbac, runtime);
  admission.install([...plugins, { name: 'EscalationGuard', plugin: guard }]);
}
