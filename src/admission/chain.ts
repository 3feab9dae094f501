import type { Admission, AdmissionRequest, MutatingRequest, Operation } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionMetrics, Phase } from './admission-metrics.ts';
import { mutateInSteps, validateInSteps } from './followed-steps.ts';
import {
  type Act,
  type AdmissionPlugin,
  actAmong,
  mutatingRules,
  type NamedPlugin,
  type Rule,
  validatingRules,
} from './plugin.ts';
import { Rounds } from './rounds.ts';

/** What is done about all requests of one operation at one place, by all plugins that they concern. */
interface Prepared {
  readonly mutate: Act<MutatingRequest>;
  readonly validate: Act<AdmissionRequest>;
}

/** By subresource, of which a type has a few. */
type PreparedByPlace = Readonly<Record<Operation, Map<string, Prepared>>>;

/** Validating plugins are asked once, and take no notice. */
const ONCE = new Rounds();

/**
 * Plugins in order: all mutating ones, all of them again if one of them says so, later all validating ones. The first
 * refusal ends the request.
 *
 * Most plugins concern few places. Who does is found out once for each type, so that the others cost nothing. A kind that
 * is replaced has other types: what was prepared for the former ones goes with them.
 */
export class AdmissionChain implements Admission {
  #plugins: readonly NamedPlugin[] | undefined;
  readonly #metrics: AdmissionMetrics;
  readonly #prepared = new WeakMap<ResourceType, PreparedByPlace>();

  constructor(metrics: AdmissionMetrics) {
    this.#metrics = metrics;
  }

  /**
   * The plugins to ask, once and for all, before the first request. Some write through a registry, and a registry asks a
   * chain: so the chain is made first, then the registry, then the plugins.
   */
  install(plugins: readonly NamedPlugin[]): void {
    if (this.#plugins) throw new Error('admission has its plugins already');
    this.#plugins = plugins;
  }

  mutate(request: MutatingRequest): Promise<void> | void {
    if (request.steps) return mutateInSteps(this.#installed, request, request.steps);
    return this.#preparedFor(request).mutate(request, new Rounds());
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    if (request.steps) return validateInSteps(this.#installed, request, request.steps);
    return this.#preparedFor(request).validate(request, ONCE);
  }

  close(): void {
    for (const { plugin } of this.#plugins ?? []) plugin.close?.();
  }

  #preparedFor({ operation, type, subresource }: AdmissionRequest): Prepared {
    const known = this.#prepared.get(type)?.[operation].get(subresource);
    return known ?? this.#prepare(operation, type, subresource);
  }

  get #installed(): readonly NamedPlugin[] {
    if (!this.#plugins) throw new Error('admission was asked before it had its plugins');
    return this.#plugins;
  }

  #prepare(operation: Operation, type: ResourceType, subresource: string): Prepared {
    const plugins = this.#installed;
    /** The first rule of each plugin that is about such requests. */
    const actsOf = <R extends AdmissionRequest>(
      phase: Phase,
      rulesOf: (plugin: AdmissionPlugin) => readonly Rule<R>[],
    ) =>
      plugins.flatMap(({ name, plugin }) => {
        const act = actAmong(rulesOf(plugin), operation, type, subresource);
        return act ? this.#metrics.plugin(name, phase, operation, act) : [];
      });
    const mutating = actsOf('admit', mutatingRules);
    const validating = actsOf('validate', validatingRules);
    const prepared: Prepared = {
      mutate: this.#metrics.phase('admit', operation, (request, rounds) => mutate(mutating, request, rounds)),
      validate: this.#metrics.phase('validate', operation, (request, rounds) => run(validating, request, rounds, 0)),
    };
    const places = this.#prepared.get(type) ?? nothingPrepared();
    places[operation].set(subresource, prepared);
    this.#prepared.set(type, places);
    return prepared;
  }
}

const nothingPrepared = (): PreparedByPlace => ({
  CREATE: new Map(),
  UPDATE: new Map(),
  DELETE: new Map(),
  CONNECT: new Map(),
});

function mutate(acts: readonly Act<MutatingRequest>[], request: MutatingRequest, rounds: Rounds): Promise<void> | void {
  const waiting = run(acts, request, rounds, 0);
  return waiting ? waiting.then(() => runAgain(acts, request, rounds)) : runAgain(acts, request, rounds);
}

/** Stays synchronous as long as the plugins are: most writes meet none that has to wait. */
function run<R extends AdmissionRequest>(
  acts: readonly Act<R>[],
  request: R,
  rounds: Rounds,
  from: number,
): Promise<void> | void {
  for (let at = from; at < acts.length; at++) {
    const waiting = acts[at]?.(request, rounds);
    if (waiting) return waiting.then(() => run(acts, request, rounds, at + 1));
  }
}

function runAgain<R extends AdmissionRequest>(
  acts: readonly Act<R>[],
  request: R,
  rounds: Rounds,
): Promise<void> | void {
  if (rounds.next()) return run(acts, request, rounds, 0);
}
