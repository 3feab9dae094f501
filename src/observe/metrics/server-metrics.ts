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
import { AuthenticationMetrics } from './authentication-metrics.ts';
import { type BuildInfo, collectBuildInfo } from './build-info.ts';
import { type Exposition, expose } from './exposition.ts';
import { collectFeatures } from './feature-metrics.ts';
import type { MetricSpec } from './metric-spec.ts';
import { helpOf, isShown, showsHidden } from './metric-state.ts';
import { METRICS } from './metrics.ts';
import { collectProcess } from './process-metrics.ts';
import { Recorder } from './recorder.ts';
import { RequestMetrics } from './request-metrics.ts';
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
  readonly release?: Release;
  readonly features?: Features;
}

/** Everything the server counts about itself. */
export class ServerMetrics {
  /** For parts that count what is not named here. */
  readonly recorder = new Recorder();
  readonly watches = new WatchMetrics(this.recorder);
  readonly workQueues: WorkQueueMetrics;
  readonly #names: Vocabulary['metrics'];
  readonly #showHidden: boolean;
  readonly #release: Release;
  readonly #disabled: ReadonlySet<string>;
  readonly #authentication: AuthenticationMetrics;
  readonly #requests: RequestMetrics;
  readonly #catalogue: Catalogue;

  constructor(options: ServerMetricsOptions) {
    const { catalogue, runtime, vocabulary, build, showHiddenFor, release = RELEASE, disabled = [] } = options;
    this.#names = vocabulary.metrics;
    this.#authentication = new AuthenticationMetrics(this.recorder, runtime);
    this.workQueues = new WorkQueueMetrics(this.recorder, runtime);
    this.#showHidden = showsHidden(showHiddenFor, release);
    this.#release = release;
    this.#disabled = new Set(disabled);
    this.#requests = new RequestMetrics(this.recorder, catalogue, runtime);
    this.#catalogue = catalogue;
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
    return this.#requests.ended(context, reply);
  }

  /** A version on its way out was asked for. */
  deprecatedUse({ group, version, plural, deprecation }: ResourceType, subresource: string): void {
    const labels = [group, version, plural, subresource, deprecation?.removedIn ?? ''];
    this.recorder.number('apiserver_requested_deprecated_apis', labels).value = 1;
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

  /** All that is shown in this release, in the text format of collectors. */
  expose(): Promise<Exposition> {
    const all: [string, MetricSpec][] = Object.entries(METRICS);
    const shown = all.filter(([, spec]) => isShown(spec, this.#release, this.#showHidden));
    return expose(
      shown
        .map(([name, spec]) => ({
          name: spec.named ? this.#names[spec.named] : name,
          type: spec.type,
          help: helpOf(spec, this.#release),
          readings: this.recorder.readings(name, spec),
        }))
        .filter(({ name }) => !this.#disabled.has(name)),
    );
  }
}

/** Answers `/metrics`. */
export function metricsHandler(metrics: ServerMetrics): PathHandler {
  return (context) => {
    if (context.info.path !== '/metrics') return undefined;
    demandRead(context);
    return metrics.expose().then(({ contentType, text }) => replyWithText(200, text, contentType));
  };
}
