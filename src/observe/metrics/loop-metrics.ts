import { RELEASE } from '../../api/release.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { ClientMetrics } from './client-metrics.ts';
import { type Exposition, expose } from './exposition.ts';
import type { MetricSpec } from './metric-spec.ts';
import { helpOf } from './metric-state.ts';
import { METRICS } from './metrics.ts';
import { collectProcess } from './process-metrics.ts';
import { Recorder } from './recorder.ts';
import { WorkQueueMetrics } from './work-queue-metrics.ts';

/** What a process counts that runs control loops and no server: their queues, and itself. */
export class LoopMetrics {
  readonly queues: WorkQueueMetrics;
  readonly requests: ClientMetrics;
  readonly #recorder = new Recorder();
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.queues = new WorkQueueMetrics(this.#recorder, runtime);
    this.requests = new ClientMetrics(this.#recorder);
    collectProcess(this.#recorder, runtime);
  }

  /** Whether this process leads, under the name that it stands for. */
  leads(name: string, isLeading: boolean): void {
    this.#recorder.number('leader_election_master_status', [name]).value = isLeading ? 1 : 0;
  }

  /** In the text format of collectors. */
  expose(): Promise<Exposition> {
    const all: [string, MetricSpec][] = Object.entries(METRICS);
    const counted = all.filter(([name]) => /^(workqueue|process|nodejs|rest_client|leader_election)_/.test(name));
    return expose(
      counted.map(([name, spec]) => ({
        name,
        type: spec.type,
        help: helpOf(spec, RELEASE),
        readings: this.#recorder.readings(name, spec),
      })),
      this.#runtime,
    );
  }
}
