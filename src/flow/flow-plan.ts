import type { UserInfo } from '../api/user.ts';
import type { FlowSchema } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { PriorityLevelConfiguration } from '../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import type { Informer } from '../registry/informer.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { FlowObjects } from './bootstrap/declare.ts';
import { CATCH_ALL, mandatoryObjects } from './bootstrap/mandatory.ts';
import { Classifier } from './classifier.ts';
import { FlowTally } from './flow-tally.ts';
import { LevelUsage, WaitingRequests } from './level-usage.ts';
import { type LevelConfiguration, PriorityLevel } from './priority-level.ts';
import type { Level, Route, Totals } from './turn.ts';

export interface FlowPlanOptions {
  readonly vocabulary: Vocabulary;
  readonly recorder: Recorder;
  readonly runtime: Runtime;
  /** Seats of the whole server, which the levels share. */
  readonly totalSeats: number;
}

/** A level, and what it has done so far. */
interface Served {
  readonly level: Level;
  readonly totals: Totals;
  readonly usage: LevelUsage;
}

/**
 * The levels and the way to them, as the stored objects say. What the server cannot do without is there even while its
 * objects are not. A level that is gone serves those who wait at it to the end; new requests go elsewhere.
 */
export class FlowPlan {
  readonly #options: FlowPlanOptions;
  readonly #mandatory: FlowObjects;
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #configurations = new Map<string, PriorityLevelConfiguration>();
  /** By level, for as long as the server runs: a level that comes again goes on counting where it was. */
  readonly #usage = new Map<string, LevelUsage>();
  readonly #waiting: WaitingRequests;
  #served = new Map<string, Served>();
  /** Made when first needed, from then on with every change. */
  #classifier: Classifier<Route> | undefined;

  constructor(options: FlowPlanOptions) {
    this.#options = options;
    this.#mandatory = mandatoryObjects(options.vocabulary);
    this.#waiting = new WaitingRequests(options.recorder, options.runtime, options.totalSeats);
    options.recorder.collect('apiserver_flowcontrol_current_r', () =>
      this.levels.map(({ level }) => ({ labels: [level.name], value: level.queues.virtualTime / 1000 })),
    );
    options.recorder.collect('apiserver_flowcontrol_request_concurrency_limit', () =>
      this.levels
        .filter(({ level }) => Number.isFinite(level.configuration.limit))
        .map(({ level }) => ({ labels: [level.name], value: level.configuration.limit })),
    );
  }

  routeOf(user: UserInfo, info: RequestInfo): Route {
    this.#classifier ??= this.#made();
    return this.#classifier.routeOf(user, info);
  }

  /** By name. */
  get levels(): readonly Served[] {
    this.#classifier ??= this.#made();
    return [...this.#served.values()].sort((a, b) => (a.level.name < b.level.name ? -1 : 1));
  }

  /** From now on the plan is that of the stored objects: of those there are, and of every change at once. */
  follow(informer: Informer): void {
    const group = this.#options.vocabulary.groups.flowcontrol;
    const changed = (): void => {
      if (this.#classifier) this.#classifier = this.#made();
    };
    informer.follow({ group, plural: 'prioritylevelconfigurations' }, intoMap(this.#configurations, changed));
    informer.follow({ group, plural: 'flowschemas' }, intoMap(this.#schemas, changed));
  }

  #made(): Classifier<Route> {
    this.#served = this.#madeLevels();
    const schemas = withMissing(this.#schemas, this.#mandatory.schemas);
    const routes = new Map<string, Route>();
    for (const schema of schemas) {
      const served = this.#served.get(schema.spec.priorityLevelConfiguration.name);
      if (served) routes.set(nameOf(schema), this.#routeTo(served, schema));
    }
    const fallback = routes.get(CATCH_ALL);
    if (!fallback) throw new Error('nothing catches all');
    const leading = schemas.filter((schema) => routes.has(nameOf(schema)));
    return new Classifier(leading, (schema) => routes.get(nameOf(schema)) ?? fallback, fallback);
  }

  /** Levels stay the same across changes: those who wait and run are at them. */
  #madeLevels(): Map<string, Served> {
    const configurations = withMissing(this.#configurations, this.#mandatory.levels);
    const shares = configurations.reduce((sum, { spec }) => sum + (spec.limited?.assuredConcurrencyShares ?? 0), 0);
    return new Map(
      configurations.map((stored) => {
        const name = nameOf(stored);
        const configuration = levelConfiguration(stored, this.#options.totalSeats / shares);
        const known = this.#served.get(name);
        known?.level.configure(configuration);
        return [name, known ?? this.#newLevel(name, configuration)];
      }),
    );
  }

  #newLevel(name: string, configuration: LevelConfiguration): Served {
    const { recorder, runtime } = this.#options;
    const usage = this.#usage.get(name) ?? new LevelUsage(recorder, runtime, name, this.#waiting);
    this.#usage.set(name, usage);
    return { level: new PriorityLevel(name, configuration), totals: noTotals(), usage };
  }

  #routeTo({ level, totals, usage }: Served, schema: FlowSchema): Route {
    const { vocabulary, recorder } = this.#options;
    const { flowSchemaUid, priorityLevelUid } = vocabulary.headers;
    return {
      schema: nameOf(schema),
      level,
      totals,
      usage,
      distinguisher: DISTINGUISHERS.get(schema.spec.distinguisherMethod?.type ?? '') ?? 'none',
      headers: [flowSchemaUid, schema.metadata.uid ?? '', priorityLevelUid, level.configuration.uid],
      tally: new FlowTally(recorder, level.name, nameOf(schema)),
    };
  }
}

const DISTINGUISHERS: ReadonlyMap<string, Route['distinguisher']> = new Map([
  ['ByUser', 'user'],
  ['ByNamespace', 'namespace'],
]);

const noTotals = (): Totals => ({ dispatched: 0, refused: 0, timedOut: 0, cancelled: 0 });

const nameOf = ({ metadata }: ApiObject): string => metadata.name ?? '';

function withMissing<T extends ApiObject>(stored: ReadonlyMap<string, T>, needed: readonly T[]): T[] {
  return [...stored.values(), ...needed.filter((object) => !stored.has(nameOf(object)))];
}

function levelConfiguration({ metadata, spec }: PriorityLevelConfiguration, seatsPerShare: number): LevelConfiguration {
  const { uid = '' } = metadata;
  if (!spec.limited) return { uid, limit: Number.POSITIVE_INFINITY, queuing: undefined };
  const { assuredConcurrencyShares, limitResponse } = spec.limited;
  const limit = Math.max(1, Math.ceil(assuredConcurrencyShares * seatsPerShare));
  return { uid, limit, queuing: limitResponse.type === 'Queue' ? limitResponse.queuing : undefined };
}

/** Keeps a map equal to the stored objects. A new status is no change. */
function intoMap<T extends ApiObject>(objects: Map<string, T>, changed: () => void) {
  return {
    onSet(object: T) {
      const { uid, generation } = object.metadata;
      const known = objects.get(nameOf(object))?.metadata;
      objects.set(nameOf(object), object);
      if (!known || known.uid !== uid || known.generation !== generation) changed();
    },
    onRemove(object: T) {
      objects.delete(nameOf(object));
      changed();
    },
  };
}
