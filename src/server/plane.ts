import type { UserInfo } from '../api/user.ts';
import type { OneTimeLogins } from '../authentication/one-time-logins.ts';
import { WatchGuard } from '../authorization/watch-guard.ts';
import { ageCaches } from '../bounds/caches.ts';
import { availableMemory, collectEarlier, MemoryGuard } from '../bounds/memory-guard.ts';
import { limitYamlMemory } from '../codec/yaml-thread.ts';
import type { Controller } from '../controllers/controller.ts';
import type { Explanations } from '../explain/explainer.ts';
import { RememberedAttributions } from '../explain/history/attribution-source.ts';
import { WriteActivityLog } from '../explain/writes/write-activity.ts';
import { builtInNames } from '../extension/definitions/built-in-names.ts';
import type { HealthChecks } from '../handlers/health.ts';
import { BodyBudget } from '../http/body-budget.ts';
import type { Handle } from '../http/handler.ts';
import type { HttpRequest } from '../http/message.ts';
import { observe } from '../observe/observer.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import { Informer } from '../registry/informer.ts';
import { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { CommitObserver } from '../registry/write.ts';
import { Deadlines } from '../request/deadlines.ts';
import { intercepted } from '../request/interceptor.ts';
import { makePipeline, type PipelineParts } from '../request/pipeline.ts';
import { beginOrEnd } from '../runtime/closing.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import { passing, slabs } from '../storage/slabs.ts';
import { aggregationFor } from './aggregation.ts';
import type { Authentication } from './authentication.ts';
import { bootstrap } from './bootstrap.ts';
import { frontTrust } from './credentials.ts';
import { CurrentCredentials } from './current-credentials.ts';
import { serveCustomKinds } from './custom-kinds.ts';
import { explanationsFor } from './explanations.ts';
import { type Handlers, handlersFor } from './handlers.ts';
import { limitsFor, type ServerLimits } from './limits.ts';
import { type Loops, type Publication, startLoops } from './loops.ts';
import type { Plan } from './plan.ts';
import { assembleRegistry } from './registry.ts';
import { StartSteps } from './start-steps.ts';

/** A control plane over a store: everything that answers requests, wherever they come from. */
export interface Plane {
  /** Where the program around it reads objects, */
  readonly objects: Objects;
  /** and where it writes them: no socket, the same rules. */
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly admin: UserInfo;
  /** A bearer token of the administrator, good for as long as this plane. */
  readonly adminToken: string;
  /** Log the administrator in on the console. */
  readonly logins: OneTimeLogins;
  /** Who sends a request, before anything is done for them. */
  identify(request: HttpRequest): Promise<UserInfo>;
  /** Whether ordinary requests are refused for lack of memory. */
  isShortOfMemory(): boolean;
  readonly credentials: CurrentCredentials;
  readonly health: HealthChecks;
  /** What answers requests that come in at `address`, which is `host:port`, or '' without a socket. */
  handleAt(address: string): Handle;
  /** Has clients inside the plane find it there, until that is closed; once. A plane is ready when it has been published. */
  publish(place: PublicPlace): Promise<Controller>;
  /** Ends everything that the plane does by itself. The store is left open, and what was planned. */
  close(): Promise<void>;
}

/** Where others find a plane. */
export interface PublicPlace {
  /** Undefined when they cannot reach it. */
  readonly address: string | undefined;
  readonly port: number;
}

/**
 * Makes a plane over a store that nobody else in this process writes to, and brings the store up to what the plane needs.
 * Every part is handed the ones before it: nothing is filled in later.
 */
export const assemblePlane = (log: VersionLog, plan: Plan): Promise<Plane> =>
  beginOrEnd(async (closing) => {
    const { settings, runtime, vocabulary, catalogue, metrics } = plan;
    metrics.watchStorage(log);
    const steps = new StartSteps(settings, vocabulary);
    const guard = memoryGuardFor(plan);
    const ageing = ageCaches(runtime);
    closing.add(() => ageing.cancel());
    const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: plan.freezeObjects });
    const informer = new Informer({
      objects,
      catalogue,
      onError: (error) => plan.logger.error({ err: error }, 'something that follows objects had a problem'),
    });
    const authentication = plan.authentication.over(objects);
    const attributions = new RememberedAttributions(log, new Set(plan.retentionFor.keys()));
    const writes = new WriteActivityLog(runtime);
    const assembled = assembleRegistry(log, { objects, informer, commits: bothOf(attributions, writes) }, plan);
    closing.add(() => assembled.close());
    const { registry, quotas } = assembled;
    steps.finished('admission');
    const limits = limitsFor({ ...plan, objects, guard, recorder: metrics.recorder });
    if (!plan.prepared?.isBootstrapped) await prepareStore(objects, registry, limits, plan);
    steps.finished('policy', 'priorityClasses', 'flowObjects');
    limits.follow(informer);
    steps.finished('flowFollowed', 'flowLimits');
    plan.authorization.follow(informer);
    const credentials = new CurrentCredentials(plan);
    closing.add(() => credentials.close());
    credentials.onTrust((next) => authentication.trust(next));
    plan.front?.follow((info) => credentials.trustFront(frontTrust(info)));
    const builtIn = builtInNames(catalogue);
    const serving = serveCustomKinds(plan, objects, informer);
    closing.add(() => serving.close());
    const aggregation = aggregationFor(plan, objects, informer);
    closing.add(() => aggregation.close());
    const explanations = explanationsFor(plan, { credentials, objects, attributions, writes, flow: limits.flow });
    closing.add(() => explanations.close());
    const sources = { log, objects, registry, authentication, aggregation, steps, explanations, paths: limits.paths };
    const handlers = handlersFor(plan, sources);
    const watches = watchGuardFor(plan, authentication);
    closing.add(() => watches.close());
    const stages = stagesOf(plan, guard, { authentication, limits, watches, handlers, explanations });
    const { ofLoops: authorizer } = plan.authorization;
    const handle = makePipeline({ ...stages, authorizer, paths: handlers.pathsAt('') });
    const own = { objects, registry, informer, authentication, credentials, quotas, handle };
    const loops = startLoops(plan, { ...own, aggregation, builtInNames: builtIn, more: limits.controllers });
    closing.add(() => loops.close());
    // No loop is waited for that waits for another server.
    closing.add(() => aggregation.stopAsking());
    steps.finished('informers');
    return {
      objects,
      registry,
      catalogue,
      credentials,
      health: handlers.health,
      admin: authentication.admin,
      adminToken: authentication.adminToken,
      logins: authentication.logins,
      identify: (request) => authentication.chain.authenticate(request),
      isShortOfMemory: () => guard.refuses('low'),
      handleAt: (address) => makePipeline({ ...stages, paths: handlers.pathsAt(address) }),
      publish: (place) => publish(loops, steps, { ...place, clusterAddress: assembled.services.serverAddress }),
      close: () => closing.run(),
    };
  });

const bothOf = (attributions: CommitObserver, writes: WriteActivityLog): CommitObserver => ({
  committed(revision, write) {
    attributions.committed(revision, write);
    writes.committed(revision, write);
  },
  unchanged: (write) => writes.unchanged(write),
});

/** What the plane stands on is not left to others: no webhook that is away or says no keeps it from starting. */
async function prepareStore(
  objects: Objects,
  registry: Registry,
  limits: ServerLimits,
  { catalogue, vocabulary }: Plan,
): Promise<void> {
  const unasked = registry.pastAdmission;
  await Promise.all([bootstrap({ objects, registry: unasked, catalogue, vocabulary }), limits.bootstrap(unasked)]);
}

async function publish(loops: Loops, steps: StartSteps, publication: Publication): Promise<Controller> {
  const published = await loops.publish(publication);
  steps.finished('publication');
  return published;
}

function memoryGuardFor({ settings, runtime, logger }: Plan): MemoryGuard {
  const limit = settings.memoryLimit ?? availableMemory();
  limitYamlMemory(limit);
  return new MemoryGuard({
    limit,
    runtime,
    uncounted: () => slabs.uncounted + passing.uncounted,
    onChange(isShort, use) {
      collectEarlier(isShort);
      logger.warn({ limit, use }, isShort ? 'memory is short' : 'memory is no longer short');
    },
  });
}

const watchGuardFor = ({ runtime, authorization }: Plan, { chain }: Authentication): WatchGuard =>
  new WatchGuard({
    runtime,
    authorizer: authorization.authorizer,
    authenticate: (request) => chain.authenticate(request),
  });

/** Bytes of bodies of requests under way: what is made of them takes several times as much. */
const bodyBudgetOf = (memory: number): number => Math.min(256 << 20, Math.max(16 << 20, memory / 16));

/** The verbosity from which requests of control loops are logged. */
const LOOPS_LOGGED_FROM = 4;

interface StageSources {
  readonly authentication: Authentication;
  readonly limits: ServerLimits;
  readonly watches: WatchGuard;
  readonly handlers: Handlers;
  readonly explanations: Explanations;
}

/** What the pipeline is made of, wherever requests come in. */
function stagesOf(plan: Plan, guard: MemoryGuard, sources: StageSources): Omit<PipelineParts, 'paths'> {
  const { settings, runtime, metrics, logger, audit } = plan;
  const { authentication, limits, watches, handlers, explanations } = sources;
  const bodies = new BodyBudget({ capacity: bodyBudgetOf(guard.limit), runtime });
  metrics.watchBodies(bodies);
  const logsLoops = settings.v >= LOOPS_LOGGED_FROM;
  const slowMs = settings.slowRequestThreshold;
  const observed = observe({ metrics, logger, slowMs, logsLoops, runtime, auditor: audit?.auditor });
  const observer = explanations.observed(observed);
  return {
    authentication: authentication.chain,
    authorizer: plan.authorization.authorizer,
    deadlines: new Deadlines(runtime, settings.requestTimeout),
    bodies,
    limiter: limits.limiter,
    watches,
    compresses: plan.features.isOn('APIResponseCompression'),
    service: handlers.service,
    observer: plan.interceptor ? intercepted(observer, plan.interceptor) : observer,
  };
}
