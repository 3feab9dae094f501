import { selfSubjectReview } from '../authentication/self-subject-review.ts';
import { jwkOf } from '../authentication/token-keys.ts';
import { tokenReview } from '../authentication/token-review.ts';
import { accessReviews } from '../authorization/reviews/access-review.ts';
import { rulesReview } from '../authorization/reviews/rules-review.ts';
import { authorizeCreation } from '../authorization/stage.ts';
import { Negotiator } from '../codec/negotiation.ts';
import { discoveryHandler } from '../discovery/discovery.ts';
import { flagzHandler } from '../discovery/flagz.ts';
import { indexHandler } from '../discovery/index-of-paths.ts';
import { openapiHandler } from '../discovery/openapi/openapi.ts';
import { openidHandler, openidPaths } from '../discovery/openid.ts';
import { versionHandler, versionOf } from '../discovery/version.ts';
import type { Explanations } from '../explain/explainer.ts';
import { actionTable } from '../handlers/actions/action.ts';
import { bindPod, createBinding } from '../handlers/actions/bind-pod.ts';
import { type Component, componentStatuses } from '../handlers/actions/component-statuses.ts';
import { evictPod } from '../handlers/actions/evict-pod.ts';
import { tokenRequest } from '../handlers/actions/token-request.ts';
import { virtualTable } from '../handlers/actions/virtual-resource.ts';
import { HealthChecks, healthHandler } from '../handlers/health.ts';
import type { PathHandler } from '../handlers/path-handler.ts';
import type { Service } from '../handlers/service.ts';
import {
  discoveryCheck,
  encryptionCheck,
  roomCheck,
  storageCheck,
  storageReadiness,
} from '../handlers/standard-checks.ts';
import { OpenWatches } from '../handlers/watch/open-watches.ts';
import { metricsHandler } from '../observe/metrics/server-metrics.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import type { Aggregation } from './aggregation.ts';
import type { Authentication } from './authentication.ts';
import type { Plan } from './plan.ts';
import type { StartSteps } from './start-steps.ts';

const BODY_BYTES = 3 * 1024 * 1024;

export interface HandlerSources {
  readonly log: VersionLog;
  readonly objects: Objects;
  readonly registry: Registry;
  readonly authentication: Authentication;
  readonly aggregation: Aggregation;
  readonly steps: StartSteps;
  readonly explanations: Explanations;
  /** Paths of other parts. */
  readonly paths: readonly PathHandler[];
}

/** What answers requests: for objects the service, for everything else the paths. */
export interface Handlers {
  readonly service: Service;
  readonly health: HealthChecks;
  /** `address`: `host:port` where clients come in, which some answers tell; '' where they come without a socket. */
  pathsAt(address: string): readonly PathHandler[];
}

export function handlersFor(plan: Plan, sources: HandlerSources): Handlers {
  const { settings, vocabulary, catalogue, metrics } = plan;
  const { authentication } = sources;
  const { directory: groups, resources: remote } = sources.aggregation;
  const { issuer } = authentication;
  const service = serviceOf(plan, sources);
  const { negotiator } = service;
  const health = healthOf(plan, sources);
  const keys = authentication.keys.map(jwkOf);
  const onMerged = (isFirst: boolean, milliseconds: number): void => metrics.schemasMerged(isFirst, milliseconds);
  const everywhere: readonly PathHandler[] = [
    healthHandler(health),
    openapiHandler(
      { ...service, groups, remote: sources.aggregation.openapi, onMerged },
      plan.features.isOn('OpenAPIV3'),
    ),
    versionHandler(versionOf(plan.release)),
    indexHandler(groups, () => [...health.paths, ...openidPaths(issuer)]),
    metricsHandler(metrics, plan.features.isOn('ComponentSLIs')),
    flagzHandler(settings),
    ...sources.paths,
  ];
  return {
    service,
    health,
    pathsAt(address) {
      const jwksUri = settings.serviceAccountJwksUri ?? `https://${externalAddress(settings, address)}/openid/v1/jwks`;
      const discovery = discoveryHandler({ catalogue, groups, remote, negotiator, vocabulary, serverAddress: address });
      return [...everywhere, discovery, openidHandler({ issuer, keys, jwksUri })];
    },
  };
}

/** Where others reach what clients reach at `address`. */
const externalAddress = ({ externalHostname }: Settings, address: string): string =>
  externalHostname === undefined ? address : `${externalHostname}${/:\d+$/.exec(address)?.[0] ?? ''}`;

function serviceOf(plan: Plan, sources: HandlerSources): Service {
  const { log, objects, registry, authentication, aggregation, explanations } = sources;
  const { settings, runtime, vocabulary, features, catalogue, connectors, metrics } = plan;
  const { authorizer } = plan.authorization;
  const { groups } = vocabulary;
  return {
    catalogue,
    objects,
    registry,
    negotiator: new Negotiator(vocabulary),
    runtime,
    vocabulary,
    features,
    actions: actionTable([
      bindPod,
      createBinding,
      evictPod,
      ...accessReviews(authorizer, groups.authorization),
      rulesReview(authorizer, groups.authorization),
      tokenRequest(authentication.signer, groups.authentication, {
        mostSeconds: Math.floor(settings.serviceAccountMaxTokenExpiration / 1000),
        extendsForPods: settings.serviceAccountExtendTokenExpiration,
      }),
      selfSubjectReview(groups.authentication),
      tokenReview((...asked) => authentication.tokens.review(...asked), groups.authentication),
      ...explanations.actions,
    ]),
    connectors,
    remotes: aggregation.remotes,
    servedGroups: settings.servedGroups.length > 0 ? new Set(settings.servedGroups) : undefined,
    virtual: virtualTable([componentStatuses(componentsOf(log, runtime)), ...explanations.virtual]),
    explainAdmission: explanations.explainAdmission,
    demandCreation: (context, user) => authorizeCreation(authorizer, context, user),
    onDeprecated: (type, subresource) => metrics.deprecatedUse(type, subresource),
    watches: new OpenWatches(catalogue),
    watchMeter: (type) => metrics.watches.of(type),
    listMeter: (type) => metrics.lists.of(type),
    limits: { bodyBytes: BODY_BYTES, leastWatchSeconds: settings.minRequestTimeout },
  };
}

/** The parts of the control plane by the names that clients know. Control loops run in this process: it answers for them. */
const componentsOf = (log: VersionLog, runtime: Runtime): readonly Component[] => [
  { name: 'controller-manager', probe() {} },
  { name: 'etcd-0', probe: () => storageCheck(log, runtime).check() },
];

function healthOf(
  { settings, runtime, catalogue, logger, metrics, encryption }: Plan,
  { log, steps }: HandlerSources,
): HealthChecks {
  const health = new HealthChecks({
    runtime,
    livezGraceMs: settings.livezGracePeriod,
    onOutcome: (endpoint, check, isWell) => metrics.healthChecked(endpoint, check, isWell),
    onFailure: (endpoint, check, error) => logger.warn({ endpoint, check, err: error }, 'a health check failed'),
  });
  health.add(storageCheck(log, runtime), storageReadiness(log, runtime), ...steps.checks, discoveryCheck(catalogue));
  if (log.room) health.add(roomCheck(log));
  if (encryption) health.add(encryptionCheck(() => encryption.problem()));
  return health;
}
