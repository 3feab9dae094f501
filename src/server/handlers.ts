import { selfSubjectReview } from '../authentication/self-subject-review.ts';
import { jwkOf } from '../authentication/token-keys.ts';
import { tokenReview } from '../authentication/token-review.ts';
import type { Authorizer } from '../authorization/attributes.ts';
import { accessReviews } from '../authorization/reviews/access-review.ts';
import { rulesReview } from '../authorization/reviews/rules-review.ts';
import { authorizeCreation } from '../authorization/stage.ts';
import { Negotiator } from '../codec/negotiation.ts';
import { discoveryHandler } from '../discovery/discovery.ts';
import { indexHandler } from '../discovery/index-of-paths.ts';
import { openapiHandler } from '../discovery/openapi/openapi.ts';
import { openidHandler, openidPaths } from '../discovery/openid.ts';
import { versionHandler } from '../discovery/version.ts';
import { actionTable } from '../handlers/action.ts';
import { bindPod, createBinding } from '../handlers/actions/bind-pod.ts';
import { evictPod } from '../handlers/actions/evict-pod.ts';
import { tokenRequest } from '../handlers/actions/token-request.ts';
import { type Component, componentStatuses } from '../handlers/component-statuses.ts';
import { HealthChecks, healthHandler } from '../handlers/health.ts';
import type { PathHandler } from '../handlers/path-handler.ts';
import type { Service } from '../handlers/service.ts';
import { discoveryCheck, roomCheck, storageCheck, storageReadiness } from '../handlers/standard-checks.ts';
import { virtualTable } from '../handlers/virtual-resource.ts';
import type { Logger } from '../logging.ts';
import { metricsHandler, type ServerMetrics } from '../metrics/server-metrics.ts';
import type { Registry } from '../registry/registry.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { VersionLog } from '../storage/version-log.ts';
import type { Authentication } from './authentication.ts';
import type { StartSteps } from './start-steps.ts';

const BODY_BYTES = 3 * 1024 * 1024;

export interface HandlerParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly catalogue: Service['catalogue'];
  readonly authentication: Authentication;
  readonly authorizer: Authorizer;
  readonly connectors: Service['connectors'];
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  readonly steps: StartSteps;
  /** Paths of other parts. */
  readonly paths: readonly PathHandler[];
  /** Host and port, once the server listens. */
  address(): string;
}

/** What answers requests: for objects the service, for everything else the paths. */
export interface Handlers {
  readonly service: Service;
  readonly paths: readonly PathHandler[];
  readonly health: HealthChecks;
}

export function handlersFor(parts: HandlerParts): Handlers {
  const { settings, catalogue, authentication, metrics, address } = parts;
  const { vocabulary } = parts.registry.parts;
  const service = serviceOf(parts);
  const health = healthOf(parts);
  const paths: readonly PathHandler[] = [
    healthHandler(health),
    discoveryHandler({ catalogue, negotiator: service.negotiator, vocabulary, serverAddress: address }),
    openapiHandler(service),
    versionHandler(),
    indexHandler(catalogue, () => [...health.paths, ...openidPaths(authentication.issuer)]),
    openidHandler({
      issuer: authentication.issuer,
      keys: authentication.keys.map(jwkOf),
      jwksUri: () => settings.serviceAccountJwksUri ?? `https://${address()}/openid/v1/jwks`,
    }),
    metricsHandler(metrics),
    ...parts.paths,
  ];
  return { service, paths, health };
}

function serviceOf(parts: HandlerParts): Service {
  const { settings, registry, catalogue, authentication, authorizer, connectors, metrics } = parts;
  const { log, runtime, vocabulary } = registry.parts;
  const { groups } = vocabulary;
  return {
    catalogue,
    registry,
    negotiator: new Negotiator(vocabulary),
    runtime,
    vocabulary,
    actions: actionTable([
      bindPod,
      createBinding,
      evictPod,
      ...accessReviews(authorizer, groups.authorization),
      rulesReview(authorizer, groups.authorization),
      tokenRequest(authentication.signer, groups.authentication),
      selfSubjectReview(groups.authentication),
      tokenReview((...asked) => authentication.tokens.review(...asked), groups.authentication),
    ]),
    connectors,
    virtual: virtualTable([componentStatuses(componentsOf(log, runtime))]),
    demandCreation: (context, user) => authorizeCreation(authorizer, context, user),
    onDeprecated: (type, subresource) => metrics.deprecatedUse(type, subresource),
    watchMeter: (type) => metrics.watches.of(type),
    limits: { bodyBytes: BODY_BYTES, leastWatchSeconds: settings.minRequestTimeout },
  };
}

/** The parts of the control plane by the names that clients know. Control loops run in this process: it answers for them. */
const componentsOf = (log: VersionLog, runtime: Runtime): readonly Component[] => [
  { name: 'controller-manager', probe() {} },
  { name: 'etcd-0', probe: () => storageCheck(log, runtime).check() },
];

function healthOf({ settings, registry, catalogue, steps, logger }: HandlerParts): HealthChecks {
  const { log, runtime } = registry.parts;
  const health = new HealthChecks({
    runtime,
    livezGraceMs: settings.livezGracePeriod,
    onFailure: (endpoint, check, error) => logger.warn({ endpoint, check, err: error }, 'a health check failed'),
  });
  health.add(storageCheck(log, runtime), storageReadiness(log, runtime), ...steps.checks, discoveryCheck(catalogue));
  if (log.room) health.add(roomCheck(log));
  return health;
}
