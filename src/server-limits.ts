import { persist } from './bootstrap.ts';
import { delayed, type StartController } from './controllers/controller.ts';
import { startFlowSchemaStatus } from './controllers/flow-schema-status.ts';
import { startFlowUpkeep } from './controllers/flow-upkeep.ts';
import { ensureFlowObjects } from './flow/bootstrap/upkeep.ts';
import { flowDumpHandler } from './flow/dumps.ts';
import { FairLimiter } from './flow/fair-limiter.ts';
import { FlowPlan } from './flow/flow-plan.ts';
import { InFlightLimiter } from './flow/in-flight-limiter.ts';
import type { RequestLimiter } from './flow/limiter.ts';
import type { CountObjects } from './flow/seats.ts';
import type { PathHandler } from './handlers/path-handler.ts';
import type { Recorder } from './metrics/recorder.ts';
import type { Catalogue } from './registry/catalogue.ts';
import type { Informer } from './registry/informer.ts';
import type { Registry } from './registry/registry.ts';
import type { Runtime } from './runtime.ts';
import type { Settings } from './settings.ts';
import type { VersionLog } from './storage/version-log.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface LimitParts {
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly log: VersionLog;
  readonly recorder: Recorder;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** How a server bounds its load. */
export interface ServerLimits {
  readonly limiter: RequestLimiter;
  readonly paths: readonly PathHandler[];
  readonly controllers: readonly StartController[];
  /** Stores the objects it works by. */
  bootstrap(registry: Registry): Promise<void>;
  /** From now on it works by the stored objects. */
  follow(informer: Informer): void;
}

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

function fairLimits({ settings, catalogue, log, recorder, runtime, vocabulary }: LimitParts): ServerLimits {
  const plan = new FlowPlan({ vocabulary, recorder, totalSeats: seatsOf(settings) });
  const countObjects: CountObjects = ({ group, version, resource }) => {
    const type = catalogue.find(group, version, resource);
    return type && log.count(type.collection);
  };
  return {
    limiter: new FairLimiter({ plan, runtime, countObjects, patienceMs: settings.requestTimeout * PATIENCE }),
    paths: [flowDumpHandler(plan)],
    controllers: [delayed(startFlowUpkeep, UPKEEP_DELAY_MS), delayed(startFlowSchemaStatus, UPKEEP_DELAY_MS)],
    bootstrap: (registry) => persist(() => ensureFlowObjects(registry, catalogue)),
    follow: (informer) => plan.follow(informer),
  };
}

function inFlightLimits({ settings, recorder }: LimitParts): ServerLimits {
  return {
    limiter: new InFlightLimiter({
      reading: settings.maxRequestsInflight,
      changing: settings.maxMutatingRequestsInflight,
      onDropped(kind) {
        recorder.number('apiserver_dropped_requests_total', [kind]).value++;
      },
    }),
    paths: [],
    controllers: [],
    bootstrap: () => Promise.resolve(),
    follow() {},
  };
}
