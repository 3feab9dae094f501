import { RELEASE, type Release } from '../../api/release.ts';
import { DEFAULT_FEATURES, type Features } from '../../features/features.ts';
import { demandRead, type PathHandler } from '../../handlers/path-handler.ts';
import { replyWithText } from '../../handlers/respond.ts';
import type { BodyBudget } from '../../http/body-budget.ts';
import type { Reply } from '../../http/message.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { VersionLog } from '../../storage/log/version-log.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { AllowedLabels } from './allowed-labels.ts';
import { AuthenticationMetrics } from './authentication-metrics.ts';
import { type BuildInfo, collectBuildInfo } from './build-info.ts';
import { CredentialMetrics } from './credential-metrics.ts';
import { type Exposition, expose } from './exposition.ts';
import { collectFeatures } from './feature-metrics.ts';
import { ListMetrics } from './list-metrics.ts';
import type { MetricSpec } from './metric-spec.ts';
import { helpOf, isShown, showsHidden } from './metric-state.ts';
import { METRICS } from './metrics.ts';
import { collectProcess } from './process-metrics.ts';
import { Recorder } from './recorder.ts';
import { type InFlightBounds, RequestMetrics } from './request-metrics.ts';
import { RuleMetrics } from './rule-metrics.ts';
import { type LimitingStage, StageMetrics } from './stage-metrics.ts';
import { collectStorage } from './storage-metrics.ts';
import { WatchMetrics } from './watch-metrics.ts';
import { WorkQueueMetrics } from './work-queue-metrics.ts';

export interface ServerMetricsOptions {
  readonly catalogue: Catalogue;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly build: BuildInfo;
  /** The value of `--show-hidden-metrics-for-version`; an error if it is any but the previous release. */
  readonly showHiddenFor?: string;
  /** Names that are not shown. */
  readonly disabled?: readonly string[];
  /** The values of `--allow-metric-labels`; an error if they cannot be read. */
  readonly allowedLabels?: readonly string[];
  /** How many requests may be worked on at once; 0 for as many as come. */
  readonly mostInFlight?: InFlightBounds;
  readonly limiting?: LimitingStage;
  readonly release?: Release;
  readonly features?: Features;
}

/** Schemas of all groups are put together at once, whichever of them has changed. */
const ALL_SERVICES = 'all';

/** Everything the server counts about itself. */
export class ServerMetrics {
  /** For parts that count what is not named here. */
  readonly recorder = new Recorder();
  readonly watches = new WatchMetrics(this.recorder);
  readonly lists = new ListMetrics(this.recorder);
  readonly workQueues: WorkQueueMetrics;
  readonly credentials: CredentialMetrics;
  readonly rules: RuleMetrics;
  readonly #names: Vocabulary['metrics'];
  readonly #showHidden: boolean;
  readonly #release: Release;
  readonly #disabled: ReadonlySet<string>;
  readonly #allowed: AllowedLabels;
  readonly #authentication: AuthenticationMetrics;
  readonly #stages: StageMetrics;
  readonly #requests: RequestMetrics;
  readonly #catalogue: Catalogue;
  readonly #runtime: Runtime;

  constructor(options: ServerMetricsOptions) {
    const { catalogue, runtime, vocabulary, build, showHiddenFor, release = RELEASE, disabled = [] } = options;
    this.#names = vocabulary.metrics;
    this.#authentication = new AuthenticationMetrics(this.recorder, runtime);
    this.#stages = new StageMetrics(this.recorder, runtime, options.limiting ?? 'priorityandfairness');
    this.credentials = new CredentialMetrics(this.recorder, runtime);
    this.rules = new RuleMetrics(this.recorder, runtime);
    this.workQueues = new WorkQueueMetrics(this.recorder, runtime);
    this.#showHidden = showsHidden(showHiddenFor, release);
    this.#release = release;
    this.#disabled = new Set(disabled);
    this.#allowed = new AllowedLabels(options.allowedLabels ?? []);
    this.#requests = new RequestMetrics(this.recorder, catalogue, runtime, options.mostInFlight);
    this.#catalogue = catalogue;
    this.#runtime = runtime;
    collectProcess(this.recorder, runtime);
    collectBuildInfo(this.recorder, build);
    collectFeatures(this.recorder, options.features ?? DEFAULT_FEATURES);
  }

  began(context: RequestContext): void {
    this.#requests.began(context);
  }

  identified(context: RequestContext): void {
    this.#authentication.identified(context);
  }

  /** The reply to send instead: streams are followed until they close. */
  ended(context: RequestContext, reply: Reply): Reply {
    this.#authentication.ended(context);
    this.#stages.ended(context);
    return this.#requests.ended(context, reply);
  }

  /** What came of a request whose client had been told that time is over. */
  late(reply: Reply): void {
    this.#requests.late(reply);
  }

  /** A version on its way out was asked for. */
  deprecatedUse({ group, version, plural, deprecation }: ResourceType, subresource: string): void {
    const labels = [group, version, plural, subresource, deprecation?.removedIn ?? ''];
    this.recorder.number('apiserver_requested_deprecated_apis', labels).value = 1;
  }

  /** The schemas of all groups were put together, for the first time or anew. */
  schemasMerged(isFirst: boolean, milliseconds: number): void {
    const reason = isFirst ? 'add' : 'update';
    this.recorder.number('aggregator_openapi_v2_regeneration_count', [ALL_SERVICES, reason]).value++;
    this.recorder.number('aggregator_openapi_v2_regeneration_duration', [reason]).value = milliseconds / 1000;
  }

  /** Shows how much of the budget is in use. */
  watchBodies(bodies: BodyBudget): void {
    const { recorder } = this;
    recorder.collect('apiserver_request_body_budget_bytes', () => [{ labels: [], value: bodies.capacity }]);
    recorder.collect('apiserver_request_body_bytes', () => [{ labels: [], value: bodies.used }]);
    recorder.collect('apiserver_request_bodies_waiting', () => [{ labels: [], value: bodies.waiting }]);
    recorder.collect('apiserver_request_bodies_refused_total', () => [{ labels: [], value: bodies.refused }]);
  }

  /** Shows how much the log holds. */
  watchStorage(log: VersionLog): void {
    collectStorage(this.recorder, this.#catalogue, log);
  }

  /** A health check was made. */
  healthChecked(endpoint: string, check: string, isWell: boolean): void {
    this.recorder.number('healthcheck', [check, endpoint]).value = isWell ? 1 : 0;
    this.recorder.number('healthchecks_total', [check, isWell ? 'success' : 'error', endpoint]).value++;
  }

  /** All of a page that is shown in this release, in the text format of collectors. */
  expose(page?: MetricSpec['page']): Promise<Exposition> {
    const all: [string, MetricSpec][] = Object.entries(METRICS);
    const named = all
      .filter(([, spec]) => spec.page === page && isShown(spec, this.#release, this.#showHidden))
      .map(([key, spec]) => ({ key, spec, name: spec.named ? this.#names[spec.named] : key }))
      .filter(({ name }) => !this.#disabled.has(name));
    this.recorder.prepare();
    return expose(
      named.map(({ key, spec, name }) => ({
        name,
        type: spec.type,
        help: helpOf(spec, this.#release),
        readings: this.#allowed.applyTo(name, this.recorder.readings(key, spec)),
      })),
      this.#runtime,
    );
  }
}

/** Answers `/metrics`, and `/metrics/slis` where there is such a page. */
export function metricsHandler(metrics: ServerMetrics, hasSlis: boolean): PathHandler {
  return (context) => {
    const { path } = context.info;
    const isSlis = hasSlis && path === '/metrics/slis';
    if (!isSlis && path !== '/metrics') return undefined;
    demandRead(context);
    return metrics
      .expose(isSlis ? 'slis' : undefined)
      .then(({ contentType, parts }) => replyWithText(200, parts, contentType));
  };
}
