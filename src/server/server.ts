import { networkInterfaces } from 'node:os';
import type { PluginParts } from '../admission/plugin.ts';
import { QuotaAccounts } from '../admission/resource-quota/accounts.ts';
import { storedObjects } from '../authentication/stored-objects.ts';
import { accessCheckOf } from '../authorization/access-check.ts';
import { EscalationGuard } from '../authorization/rbac/escalation-guard.ts';
import { WatchGuard } from '../authorization/watch-guard.ts';
import { ageCaches } from '../caches.ts';
import { CLUSTER_NETWORK, type ClusterNetwork } from '../client/network.ts';
import { Closing } from '../closing.ts';
import { advertisedAddress } from '../controllers/advertised-address.ts';
import { AuthenticationInfoPublisher } from '../controllers/authentication-info.ts';
import type { ControllerParts } from '../controllers/controller.ts';
import { startControllers } from '../controllers/controllers.ts';
import { resourceQuotaLoop } from '../controllers/resource-quota.ts';
import { startServerService } from '../controllers/server-service.ts';
import { versionInfo } from '../discovery/version.ts';
import { BodyBudget } from '../http/body-budget.ts';
import { cipherSuites } from '../http/cipher-suites.ts';
import type { Handle } from '../http/handler.ts';
import type { Injected } from '../http/inject.ts';
import { type Listener, listen } from '../http/listener.ts';
import { builtInTypes, groupOrder } from '../kinds/built-in.ts';
import { ServiceAllocator } from '../kinds/core/service-allocator.ts';
import { parseServiceRanges } from '../kinds/core/service-ranges.ts';
import type { Logger } from '../logging.ts';
import { availableMemory, collectEarlier, MemoryGuard } from '../memory-guard.ts';
import { ServerMetrics } from '../metrics/server-metrics.ts';
import { observe } from '../observer.ts';
import { makePipeline } from '../pipeline.ts';
import { Catalogue } from '../registry/catalogue.ts';
import { Encoder } from '../registry/encoding.ts';
import { Informer } from '../registry/informer.ts';
import { Lister } from '../registry/lister.ts';
import { LiveObjects } from '../registry/live-objects.ts';
import { Registry } from '../registry/registry.ts';
import { servedWith } from '../registry/runtime-config.ts';
import { VERSION } from '../release.ts';
import { Deadlines } from '../request/deadlines.ts';
import { sleep } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { VersionLog } from '../storage/version-log.ts';
import { type Vocabulary, vocabularyNamed } from '../vocabulary.ts';
import { adminConfigOf } from './admin-config.ts';
import { admissionChainOf, admissionPlanFor } from './admission.ts';
import type { Audit, AuditParts } from './audit.ts';
import { authenticationFor, authenticationInfoOf } from './authentication.ts';
import { sharedAuthority } from './authority.ts';
import { authorizationFor } from './authorization.ts';
import { bootstrap } from './bootstrap.ts';
import { connectionsFor } from './connections.ts';
import { type Credentials, clientCasOf, pkiOptionsOf, readCredentials } from './credentials.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { handlersFor } from './handlers.ts';
import { Injections, type InjectRequest } from './injection.ts';
import { limitsFor, refuseNoSeats } from './limits.ts';
import { checkOptions, type StartOptions } from './options.ts';
import { followCredentials } from './reload.ts';
import { StartSteps } from './start-steps.ts';
import { backendFor } from './storage.ts';

/** Bytes of bodies of requests under way: what is made of them takes several times as much. */
const bodyBudgetOf = (memory: number): number => Math.min(256 << 20, Math.max(16 << 20, memory / 16));

/** How long requests in flight have to finish once the server stops. */
const GRACE_MS = 10_000;

export type { StartOptions } from './options.ts';

/** A running server. `await using` closes it at the end of its block. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A client configuration with all rights, as text. */
  readonly adminConfig: string;
  /** Where the same text was written, if it was; one that someone changed is kept as they left it. */
  readonly adminConfigFile: string | undefined;
  /** A bearer token with all rights, for as long as this server runs. It is written nowhere. */
  readonly adminToken: string;
  /** The front door for embedders: no socket, the same pipeline. */
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  /** Answers a request without a socket, on behalf of whom `as` names. Rejects once the server is being closed. */
  inject(request: InjectRequest): Promise<Injected>;
  /** Not ready any more, then no longer there: watches end, requests finish, the store is closed. */
  close(): Promise<void>;
}

/** Starts a server; resolves when it is ready. Rejects with an Error of one clear line when it cannot start. */
export async function startServer(options: StartOptions = {}): Promise<Server> {
  const closing = new Closing();
  try {
    return await start(options, closing);
  } catch (error) {
    // Why it could not start is what matters, whatever else goes wrong then.
    await closing.run().catch(() => undefined);
    throw error;
  }
}

/** Whatever begins here is added to what is to be ended, whether the start succeeds or not. */
async function start(options: StartOptions, closing: Closing): Promise<Server> {
  const { settings, runtime, logger, dataDir, network: given } = checkOptions(options);
  const vocabulary = vocabularyNamed(settings.vocabulary);
  let about: object | undefined;
  closing.add(() => {
    if (about) logger.info(about, 'the server has stopped');
  });

  // What settings can get wrong is found out before anything is opened.
  const serviceRanges = parseServiceRanges(settings.serviceClusterIpRange, settings.serviceNodePortRange);
  const ciphers = cipherSuites(settings.tlsCipherSuites);
  if (dataDir !== undefined) prepareDataDirectory(dataDir);
  const pki = pkiOptionsOf(settings, vocabulary, runtime);
  const authority = await sharedAuthority({ settings, dataDir, pki, runtime });
  const credentials = readCredentials(settings, dataDir, { ...pki, authority });
  const authorization = await authorizationFor({ settings, runtime, vocabulary, logger });
  closing.add(() => authorization.close());
  const { authorizer } = authorization;
  const network: ClusterNetwork = { ...CLUSTER_NETWORK, ...given };
  const connectors = connectionsFor(settings, vocabulary, runtime, network);
  const admissionPlan = await admissionPlanFor(settings, vocabulary);
  refuseNoSeats(settings);
  const catalogue = catalogueFor(settings, vocabulary);
  const objects = storedObjects(catalogue, () => log);
  const authentication = await authenticationFor({ settings, credentials, objects, runtime, vocabulary, logger });
  closing.add(() => authentication.close());
  const metrics = new ServerMetrics({ catalogue, runtime, vocabulary, build: versionInfo });
  const { recorder } = metrics;
  const audit = await auditWith({ settings, catalogue, runtime, vocabulary, logger, recorder });
  closing.add(() => audit?.close());

  const log = await VersionLog.open(await backendFor({ settings, dataDir, runtime, logger }), {
    runtime,
    retentionMs: settings.historyRetention,
    historyMemory: settings.historyMemory,
    onCompaction(compaction) {
      if (compaction.reason === 'size')
        logger.warn(compaction, 'history is forgotten early: it exceeds --history-memory');
    },
    onError: (error) => logger.error({ err: error }, 'the version log had a problem'),
  });
  closing.add(() => log.close());
  metrics.watchStorage(log);
  const steps = new StartSteps(settings, vocabulary);
  const guard = new MemoryGuard({
    limit: settings.memoryLimit ?? availableMemory(),
    runtime,
    onChange(isShort) {
      collectEarlier(isShort);
      logger.warn({ limit: guard.limit, use: guard.use }, isShort ? 'memory is short' : 'memory is no longer short');
    },
  });
  const ageing = ageCaches(runtime);
  closing.add(() => ageing.cancel());
  const informer = new Informer(log, catalogue);
  const stored = new Lister(log, catalogue);
  const quotas = new QuotaAccounts({
    objects: stored,
    catalogue,
    registry: () => registry,
    runtime,
    vocabulary,
    onError: (error) => logger.warn({ err: error }, 'quotas will be measured again'),
  });
  const pluginParts: PluginParts = {
    objects: stored,
    quotas,
    informer,
    catalogue,
    registry: () => registry,
    may: accessCheckOf(authorizer),
    requestTimeoutMs: settings.requestTimeout,
    network,
    recorder: metrics.recorder,
    tolerationSeconds: {
      notReady: settings.defaultNotReadyTolerationSeconds,
      unreachable: settings.defaultUnreachableTolerationSeconds,
    },
    runtime,
    vocabulary,
    onError: (plugin, error) => logger.warn({ plugin, err: error }, 'an admission plugin had a problem'),
  };
  const escalationGuard = new EscalationGuard(authorization.rbac, authorizer, vocabulary.groups.rbac);
  const admission = admissionChainOf(admissionPlan, pluginParts, escalationGuard);
  closing.add(() => admission.close());
  steps.finished('admission');
  const services = new ServiceAllocator(serviceRanges, runtime);
  services.follow(informer);
  const registry: Registry = new Registry({
    log,
    runtime,
    vocabulary,
    admission,
    encoder: new Encoder(runtime),
    live: new LiveObjects(),
    allowPrivileged: settings.allowPrivileged,
    servedAs: (hub, apiVersion) => catalogue.servedAs(hub, apiVersion),
    services,
  });
  const limits = limitsFor({ settings, catalogue, log, guard, recorder: metrics.recorder, runtime, vocabulary });
  // What the server stands on is not left to others: no webhook that is away or says no keeps it from starting.
  const unasked = registry.pastAdmission;
  await Promise.all([bootstrap(unasked, catalogue, vocabulary), limits.bootstrap(unasked)]);
  steps.finished('policy', 'priorityClasses', 'flowObjects');
  limits.follow(informer);
  steps.finished('flowFollowed', 'flowLimits');
  authorization.follow(informer);

  const controllerParts: ControllerParts = {
    registry,
    catalogue,
    informer,
    runtime,
    queues: metrics.workQueues,
    vocabulary,
    rootCa: credentials.rootCa,
    bootstrapTokens: settings.enableBootstrapTokenAuth,
    signForSecret: (claims) => authentication.signer.signForSecret(claims),
    onError: (controller, key, error) => logger.warn({ controller, key, err: error }, 'a control loop will try again'),
  };
  const controllers = startControllers(controllerParts, [...limits.controllers, resourceQuotaLoop(quotas)]);
  closing.add(() => controllers.close());
  steps.finished('informers');

  const bodies = new BodyBudget({ capacity: bodyBudgetOf(guard.limit), runtime });
  metrics.watchBodies(bodies);
  let address = '';
  const { service, paths, health } = handlersFor({
    settings,
    registry,
    catalogue,
    authentication,
    authorizer,
    connectors,
    metrics,
    logger,
    steps,
    paths: limits.paths,
    address: () => address,
  });
  const watches = new WatchGuard({
    runtime,
    authorizer,
    authenticate: (request) => authentication.chain.authenticate(request),
  });
  closing.add(() => watches.close());
  const handle: Handle = makePipeline({
    authentication: authentication.chain,
    authorizer,
    deadlines: new Deadlines(runtime, settings.requestTimeout),
    bodies,
    limiter: limits.limiter,
    watches,
    service,
    paths,
    observer: observe({ metrics, logger, runtime, auditor: audit?.auditor }),
  });
  const injections = new Injections({ handle, admin: authentication.admin, runtime });
  closing.add(() => injections.close(GRACE_MS));
  const listener = await open(settings, credentials, ciphers, handle, logger);
  closing.add(() => listener.close({ graceMs: GRACE_MS }));
  address = `${listener.host}:${listener.port}`;
  const ownService = await startServerService(
    { ...controllerParts, registry: unasked },
    {
      clusterAddress: services.serverAddress,
      address: settings.advertiseAddress ?? advertisedAddress(listener.host, networkInterfaces()),
      port: listener.port,
      isShared: settings.storage === 'etcd',
    },
  );
  closing.add(() => ownService.close());
  steps.finished('publication');
  const authenticationInfo = new AuthenticationInfoPublisher(
    { ...controllerParts, registry: unasked },
    authenticationInfoOf(settings, credentials),
  );
  closing.add(() => authenticationInfo.close());
  const onTrust = (trusted: Credentials) => authenticationInfo.publish(authenticationInfoOf(settings, trusted));
  const reloading = followCredentials({ settings, credentials, authentication, listener, onTrust, runtime, logger });
  closing.add(() => reloading.close());
  const { url, port } = listener;
  const admin = adminConfigOf({ server: url, credentials, dataDir, vocabulary, logger });
  // Last to begin, first at the end: others learn that the server goes before it does.
  closing.add(() => {
    health.beginShutdown();
    return sleep(runtime, settings.shutdownDelayDuration);
  });
  about = { url, version: VERSION, vocabulary: vocabulary.name, storage: settings.storage, dataDir };
  logger.info(about, 'the server has started');
  const close = (): Promise<void> => {
    injections.refuse();
    return closing.run();
  };
  return {
    url,
    port,
    adminConfig: admin.text,
    adminConfigFile: admin.file,
    adminToken: authentication.adminToken,
    registry,
    catalogue,
    inject: (request) => injections.inject(request),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function catalogueFor({ runtimeConfig }: Settings, vocabulary: Vocabulary): Catalogue {
  const catalogue = new Catalogue(groupOrder(vocabulary));
  const types = builtInTypes(vocabulary);
  const isServed = servedWith(runtimeConfig, types);
  catalogue.add(...types.filter(isServed));
  catalogue.addUnserved(...types.filter((type) => !isServed(type)));
  return catalogue;
}

/** Loaded when asked for: without a policy nothing is recorded. */
async function auditWith(parts: AuditParts): Promise<Audit | undefined> {
  if (parts.settings.auditPolicyFile === undefined) return undefined;
  const { auditFor } = await import('./audit.ts');
  return auditFor(parts, parts.settings.auditPolicyFile);
}

function open(
  settings: Settings,
  credentials: Credentials,
  ciphers: string | undefined,
  handle: Handle,
  logger: Logger,
): Promise<Listener> {
  return listen({
    host: settings.bindAddress,
    port: settings.securePort,
    key: credentials.serving.key,
    cert: credentials.serving.certificate,
    clientCas: clientCasOf(credentials),
    tls: { minVersion: settings.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2', ciphers },
    handleAt: () => handle,
    onError: (error, request) => logger.error({ err: error, request }, 'a request could not be served'),
  });
}
