import type { Admission, AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';

type Operation = AdmissionRequest['operation'];

/** One plugin. Both phases throw an ApiError to refuse; only `mutate` may change the object. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Whether requests to this place can concern it at all, which must not change with time. All can when absent. */
  concerns?(type: ResourceType, subresource: string): boolean;
  mutate?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}

type Act = (request: AdmissionRequest) => void | Promise<void>;

/** Who has a word in requests of one operation at one place. */
interface Voices {
  readonly mutate: readonly Act[];
  readonly validate: readonly Act[];
}

/** Plugins in order: all mutating ones, later all validating ones. The first refusal ends the request. */
export class AdmissionChain implements Admission {
  private readonly plugins: readonly AdmissionPlugin[];
  private readonly known = new WeakMap<ResourceType, Map<string, Voices>>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  mutate(request: AdmissionRequest): Promise<void> | void {
    return run(this.voices(request).mutate, request, 0);
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    return run(this.voices(request).validate, request, 0);
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
    const concerned = this.plugins.filter(
      (plugin) => plugin.operations.includes(operation) && (plugin.concerns?.(type, subresource) ?? true),
    );
    return {
      mutate: concerned.flatMap((plugin) => plugin.mutate?.bind(plugin) ?? []),
      validate: concerned.flatMap((plugin) => plugin.validate?.bind(plugin) ?? []),
    };
  }
}

/** Stays synchronous as long as the plugins are: most writes meet none that has to wait. */
function run(acts: readonly Act[], request: AdmissionRequest, from: number): Promise<void> | void {
  for (let at = from; at < acts.length; at++) {
    const waiting = acts[at]?.(request);
    if (waiting) return waiting.then(() => run(acts, request, at + 1));
  }
}
