import type { Admission, AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionMetrics, Phase } from './admission-metrics.ts';

type Operation = AdmissionRequest['operation'];

/** How often the mutating plugins are asked about a request: once, and once more if one of them wants that. */
export class Rounds {
  private repeats = false;
  private wanted = false;

  /** True when the plugins have been asked before. */
  get isRepeated(): boolean {
    return this.repeats;
  }

  /** Those who were asked before should see what has become of the object. No third round comes of it. */
  again(): void {
    this.wanted = true;
  }

  /** Begins the second round, if there is to be one. */
  next(): boolean {
    const begins = this.wanted && !this.repeats;
    this.repeats ||= begins;
    return begins;
  }
}

/** One plugin. Both phases throw an ApiError to refuse; only `mutate` may change the object. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Whether requests to this place can concern it at all, which must not change with time. All can when absent. */
  concerns?(type: ResourceType, subresource: string): boolean;
  /** May be asked twice about a request, and must not do twice what is to be done once. */
  mutate?(request: MutatingRequest, rounds: Rounds): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
  /** Lets go of what it holds; nothing is asked of it any more. */
  close?(): void;
}

type Act<R extends AdmissionRequest> = (request: R, rounds: Rounds) => void | Promise<void>;

/** Everyone who has a word in requests of one operation at one place, in both phases. */
interface Voices {
  readonly mutate: Act<MutatingRequest>;
  readonly validate: Act<AdmissionRequest>;
}

/** Validating plugins are asked once, and take no notice. */
const ONCE = new Rounds();

/**
 * Plugins in order: all mutating ones, all of them again if one of them says so, later all validating ones. The first
 * refusal ends the request.
 */
export class AdmissionChain implements Admission {
  private plugins: readonly AdmissionPlugin[] | undefined;
  private readonly metrics: AdmissionMetrics;
  private readonly known = new WeakMap<ResourceType, Map<string, Voices>>();

  constructor(metrics: AdmissionMetrics) {
    this.metrics = metrics;
  }

  /**
   * The plugins to ask, once and for all, before the first request. Some write through a registry, and a registry asks a
   * chain: so the chain is made first, then the registry, then the plugins.
   */
  install(plugins: readonly AdmissionPlugin[]): void {
    if (this.plugins) throw new Error('admission has its plugins already');
    this.plugins = plugins;
  }

  mutate(request: MutatingRequest): Promise<void> | void {
    return this.voices(request).mutate(request, new Rounds());
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    return this.voices(request).validate(request, ONCE);
  }

  close(): void {
    for (const plugin of this.plugins ?? []) plugin.close?.();
  }

  /** Most plugins concern few places: who does is found out once, so that the others cost nothing. */
  private voices({ operation, type, subresource }: AdmissionRequest): Voices {
    const places = this.known.get(type) ?? new Map<string, Voices>();
    const place = `${operation} ${subresource}`;
    const known = places.get(place);
    if (known) return known;
    const voices = this.hear(operation, type, subresource);
    this.known.set(type, places.set(place, voices));
    return voices;
  }

  private hear(operation: Operation, type: ResourceType, subresource: string): Voices {
    if (!this.plugins) throw new Error('admission was asked before it had its plugins');
    const concerned = this.plugins.filter(
      (plugin) => plugin.operations.includes(operation) && (plugin.concerns?.(type, subresource) ?? true),
    );
    const measured = <R extends AdmissionRequest>({ name }: AdmissionPlugin, phase: Phase, act: Act<R> | undefined) =>
      act ? this.metrics.plugin(name, phase, operation, act) : [];
    const mutating = concerned.flatMap((one) => measured(one, 'admit', one.mutate?.bind(one)));
    const validating = concerned.flatMap((one) => measured(one, 'validate', one.validate?.bind(one)));
    return {
      mutate: this.metrics.phase('admit', operation, (request, rounds) => mutate(mutating, request, rounds)),
      validate: this.metrics.phase('validate', operation, (request, rounds) => run(validating, request, rounds, 0)),
    };
  }
}

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
