import type { QuotaAccounts } from '../admission/resource-quota/accounts.ts';
import { AuthenticationInfoPublisher } from '../controllers/authentication-info.ts';
import type { Controller, ControllerParts, StartController } from '../controllers/controller.ts';
import { startControllers } from '../controllers/controllers.ts';
import { resourceQuotaLoop } from '../controllers/resource-quota.ts';
import { startServerService } from '../controllers/server-service.ts';
import type { BuiltInNames } from '../extension/definitions/used-names.ts';
import type { Handle } from '../http/handler.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { Aggregation } from './aggregation.ts';
import { type Authentication, authenticationInfoOf } from './authentication.ts';
import type { CurrentCredentials } from './current-credentials.ts';
import { loopRequests } from './loop-requests.ts';
import type { Plan } from './plan.ts';

export interface LoopSources {
  readonly objects: Objects;
  readonly registry: Registry;
  readonly informer: Informer;
  readonly authentication: Authentication;
  readonly credentials: CurrentCredentials;
  readonly quotas: QuotaAccounts;
  readonly builtInNames: BuiltInNames;
  readonly aggregation: Aggregation;
  /** What answers requests of control loops. */
  readonly handle: Handle;
  /** Loops of other parts. */
  readonly more: readonly StartController[];
}

/** Where a plane is to be found: its service has `clusterAddress`, behind which it listens at `address`, if it does. */
export interface Publication {
  readonly clusterAddress: string;
  readonly address: string | undefined;
  readonly port: number;
}

/** The control loops of a plane. */
export interface Loops {
  /** Tells clients inside the plane where it is, until that is closed. Resolves when they can know. Once: rejects then. */
  publish(publication: Publication): Promise<Controller>;
  close(): Promise<void>;
}

/** Writes are held against quotas in any case; whether what is used is measured too is a choice. */
const quotaLoop = ({ loops }: Plan, quotas: QuotaAccounts): StartController =>
  loops.includes('resourcequota', true) ? resourceQuotaLoop(quotas) : () => ({ close: () => quotas.close() });

/** Starts what keeps stored objects true, each from now on. */
export function startLoops(plan: Plan, { quotas, more, credentials, handle, ...sources }: LoopSources): Loops {
  const { settings, logger } = plan;
  const { objects, registry, informer, authentication } = sources;
  const parts: ControllerParts = {
    objects,
    registry,
    informer,
    catalogue: plan.catalogue,
    runtime: plan.runtime,
    vocabulary: plan.vocabulary,
    queues: plan.metrics.workQueues,
    rootCa: plan.credentials.publishedRootCa,
    signers: plan.signers,
    builtInNames: sources.builtInNames,
    builtInPriorities: sources.aggregation.builtInPriorities,
    remoteKinds: sources.aggregation.resources,
    availabilityOf: (remote) => sources.aggregation.availabilityOf(remote),
    terminatedPodThreshold: settings.terminatedPodGcThreshold,
    eventTtlMs: settings.eventTtl,
    bootstrapTokens: settings.enableBootstrapTokenAuth,
    collectsGarbage: settings.enableGarbageCollector,
    signForSecret: (claims) => authentication.signer.signForSecret(claims),
    sendAs: loopRequests(handle, plan.vocabulary.components.controllerManager),
    onError: (controller, key, error) => logger.warn({ controller, key, err: error }, 'a control loop will try again'),
  };
  // What the plane says of itself is not left to others: no webhook that is away or says no keeps it from being found.
  const unasked: ControllerParts = { ...parts, registry: registry.pastAdmission };
  const followed = plan.signers.follow(plan.runtime, (error) =>
    logger.error({ err: error }, 'a changed authority cannot be used for signing; the former one stays'),
  );
  const controllers = startControllers(parts, plan.loops, [...more, quotaLoop(plan, quotas)]);
  const info = new AuthenticationInfoPublisher(unasked, authenticationInfoOf(settings, credentials.current));
  credentials.onTrust((next) => info.publish(authenticationInfoOf(settings, next)));
  let isPublished = false;
  return {
    async publish(publication) {
      // Two would each put back what the other has written.
      if (isPublished) throw new Error('a plane is published at one place');
      isPublished = true;
      return startServerService(unasked, { ...publication, isShared: settings.storage === 'etcd' });
    },
    async close() {
      followed.close();
      await Promise.all([info.close(), controllers.close()]);
    },
  };
}
