import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import { replyWithText } from '../handlers/respond.ts';
import type { Reply } from '../http/message.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { RELEASE } from '../release.ts';
import type { RequestContext } from '../request/context.ts';
import type { Runtime } from '../runtime.ts';
import type { Compaction, VersionLog } from '../storage/version-log.ts';
import { type Exposition, expose } from './exposition.ts';
import { helpOf, isShown, showsHidden } from './metric-state.ts';
import { METRICS } from './metrics.ts';
import { collectProcess } from './process-metrics.ts';
import { type Cell, Recorder } from './recorder.ts';
import { RequestMetrics } from './request-metrics.ts';
import { collectStorage } from './storage-metrics.ts';

export interface ServerMetricsOptions {
  readonly catalogue: Catalogue;
  readonly log: VersionLog;
  readonly runtime: Runtime;
  /** The value of `--show-hidden-metrics-for-version`; an error if it is any but the previous release. */
  readonly showHiddenFor?: string;
}

/** Everything the server counts about itself. */
export class ServerMetrics {
  /** For parts that count what is not named here. */
  readonly recorder = new Recorder();
  readonly #showHidden: boolean;
  readonly #requests: RequestMetrics;
  readonly #capReached: Cell;

  constructor({ catalogue, log, runtime, showHiddenFor }: ServerMetricsOptions) {
    this.#showHidden = showsHidden(showHiddenFor, RELEASE);
    this.#requests = new RequestMetrics(this.recorder, catalogue, runtime);
    this.#capReached = this.recorder.number('apiserver_version_log_cap_reached_total', []);
    collectProcess(this.recorder, runtime);
    collectStorage(this.recorder, catalogue, log);
  }

  began(context: RequestContext): void {
    this.#requests.began(context);
  }

  /** The reply to send instead: streams are followed until they close. */
  ended(context: RequestContext, reply: Reply): Reply {
    return this.#requests.ended(context, reply);
  }

  /** A version on its way out was asked for. */
  deprecatedUse({ group, version, plural, deprecation }: ResourceType, subresource: string): void {
    const labels = [group, version, plural, subresource, deprecation?.removedIn ?? ''];
    this.recorder.number('apiserver_requested_deprecated_apis', labels).value = 1;
  }

  /** For `VersionLogOptions.onCompaction`. */
  compacted({ reason }: Compaction): void {
    if (reason === 'size') this.#capReached.value++;
  }

  /** All that is shown in this release, in the text format of collectors. */
  expose(): Promise<Exposition> {
    const shown = Object.entries(METRICS).filter(([, spec]) => isShown(spec, RELEASE, this.#showHidden));
    return expose(
      shown.map(([name, spec]) => ({
        name,
        type: spec.type,
        help: helpOf(spec, RELEASE),
        readings: this.recorder.readings(name, spec),
      })),
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
