import type { MemoryGuard } from '../bounds/memory-guard.ts';
import { delayed, type StartController } from '../controllers/controller.ts';
import { startFlowSchemaStatus } from '../controllers/flow-schema-status.ts';
import { startFlowUpkeep } from '../controllers/flow-upkeep.ts';
import type { FlowControl } from '../explain/flow/flow-review.ts';
import { ensureFlowObjects } from '../flow/bootstrap/upkeep.ts';
import { flowDumpHandler } from '../flow/dumps.ts';
import { FairLimiter } from '../flow/fair-limiter.ts';
import { FlowPlan } from '../flow/flow-plan.ts';
import { InFlightLimiter } from '../flow/in-flight-limiter.ts';
import type { RequestLimiter } from '../flow/limiter.ts';
import { MemoryCheck } from '../flow/memory-check.ts';
import type { MeasureExtent } from '../flow/seats.ts';
import type { PathHandler } from '../handlers/path-handler.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { persist } from './bootstrap.ts';

export interface LimitParts {
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly objects: Objects;
  readonly guard: MemoryGuard;
  readonly recorder: Recorder;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** How a server bounds its load. */
export interface ServerLimits {
  readonly limiter: RequestLimiter;
  readonly paths: readonly PathHandler[];
  /** For those who ask how requests get their turn. */
  readonly flow: FlowControl;
  readonly controllers: readonly StartController[];
  /** Stores the objects it works by. */
  bootstrap(registry: Registry): Promise<void>;
  /** From now on it works by the stored objects. */
  follow(informer: Informer): void;
}

/** So many objects of a collection are looked at to tell how large they are. */
const SAMPLE = 4;

/** The part of the time for an answer that a request may wait for its turn. */
const PATIENCE = 1 / 4;

/** The objects are as they should be when the server starts; only their status is not told yet. */
const UPKEEP_DELAY_MS = 1000;

export const limitsFor = (parts: LimitParts): ServerLimits =>
  parts.settings.enablePriorityAndFairness ? fairLimits(parts) : inFlightLimits(parts);

/** Throws when the settings leave no room for any request. */
export function refuseNoSeats({ enablePriorityAndFairness, ...settings }: Settings): void {
  if (enablePriorityAndFairness && seatsOf(settings) === 0) {
    throw new Error('--max-requests-inflight and --max-mutating-requests-inflight must not both be 0');
  }
}

const seatsOf = (settings: Pick<Settings, 'maxRequestsInflight' | 'maxMutatingRequestsInflight'>): number =>
  settings.maxRequestsInflight + settings.maxMutatingRequestsInflight;

function fairLimits(parts: LimitParts): ServerLimits {
  const { settings, catalogue, objects, guard, recorder, runtime, vocabulary } = parts;
  const plan = new FlowPlan({ vocabulary, recorder, runtime, totalSeats: seatsOf(settings) });
  const measure: MeasureExtent = ({ group, version, resource }) => {
    const type = catalogue.find(group, version, resource);
    if (!type) return undefined;
    const some = objects.sample(type, SAMPLE);
    const bytes = some.reduce((sum, version) => sum + version.size, 0);
    return { objects: objects.count(type), bytesEach: bytes / Math.max(1, some.length) };
  };
  return {
    limiter: new FairLimiter({
      plan,
      runtime,
      measure,
      memory: new MemoryCheck(guard, recorder),
      patienceMs: settings.requestTimeout * PATIENCE,
    }),
    paths: [flowDumpHandler(plan)],
    flow: { plan, measure },
    controllers: [delayed(startFlowUpkeep, UPKEEP_DELAY_MS), delayed(startFlowSchemaStatus, UPKEEP_DELAY_MS)],
    bootstrap: (registry) => persist(() => ensureFlowObjects({ ...parts, registry })),
    follow: (informer) => plan.follow(informer),
  };
}

function inFlightLimits({ settings, guard, recorder }: LimitParts): ServerLimits {
  return {
    limiter: new InFlightLimiter({
      reading: settings.maxRequestsInflight,
      changing: settings.maxMutatingRequestsInflight,
      memory: new MemoryCheck(guard, recorder),
      onDropped(kind) {
        recorder.number('apiserver_dropped_requests_total', [kind]).value++;
      },
    }),
    paths: [],
    flow: undefined,
    controllers: [],
    bootstrap: () => Promise.resolve(),
    follow() {},
  };
}
