import { type Discovered, discover } from '../../client/discovery.ts';
import { type Reflection, Reflector } from '../../client/informing/reflector.ts';
import type { ResourceName, ServedKind } from '../../client/served-kind.ts';
import type { Timer } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { KnownKinds } from '../loop.ts';
import type { ServedPlane } from './served-plane.ts';

/** Changes of definitions come in groups: what they are taken for and that they are served. */
const SETTLING_MS = 100;
/** Another server behind the same address may serve a kind a little later. */
const AGAIN_MS = 3_000;
/** For what nothing told of. */
const PERIOD_MS = 300_000;

/** What a plane serves, asked for again when something says that it may be otherwise: definitions, and services of others. */
export class ServedKinds implements KnownKinds {
  readonly #plane: ServedPlane;
  readonly #followers = new Set<() => void>();
  readonly #reflectors: readonly Reflector[];
  #byVersion: ReadonlyMap<string, readonly ServedKind[]>;
  #discovered: Discovered;
  #timer: Timer | undefined;
  #isAsking = false;
  /** Something changed while it was being asked. */
  #isStale = false;
  #isClosed = false;

  private constructor(plane: ServedPlane, vocabulary: Vocabulary, found: Awaited<ReturnType<typeof discover>>) {
    this.#plane = plane;
    this.#byVersion = found.byVersion;
    this.#discovered = found.discovered;
    this.#reportFailures();
    const { apiextensions, apiregistration } = vocabulary.groups;
    const causes = [
      { group: apiextensions, plural: 'customresourcedefinitions' },
      { group: apiregistration, plural: 'apiservices' },
    ];
    this.#reflectors = causes.flatMap((cause) => {
      const kind = this.find(cause);
      return kind ? [new Reflector(plane, { kind, metadataOnly: true }, this.#onChange(kind.plural))] : [];
    });
    this.#plan(PERIOD_MS);
  }

  /** Rejects when the plane does not answer. */
  static async of(plane: ServedPlane, vocabulary: Vocabulary): Promise<ServedKinds> {
    return new ServedKinds(plane, vocabulary, await discover(plane.client));
  }

  all(): Iterable<ServedKind> {
    return this.#discovered.all();
  }

  find(resource: ResourceName): ServedKind | undefined {
    return this.#discovered.find(resource);
  }

  named(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#discovered.named(apiVersion, kind);
  }

  undiscovered(): ReadonlyMap<string, string> {
    const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));
    return new Map([...this.#discovered.failures].map(([apiVersion, error]) => [apiVersion, why(error)]));
  }

  follow(onChange: () => void): { close(): void } {
    // One who follows twice is told twice.
    const tell = (): void => onChange();
    this.#followers.add(tell);
    return { close: () => this.#followers.delete(tell) };
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const reflector of this.#reflectors) reflector.close();
  }

  /** What is there to begin with has been discovered already. */
  #onChange(plural: string): Reflection {
    let isFirst = true;
    const ask = (): void => {
      if (!isFirst) this.#plan(SETTLING_MS);
    };
    return {
      onListing() {},
      onListed() {
        ask();
        isFirst = false;
      },
      onSet: ask,
      onRemove: ask,
      onError: (error) => this.#plane.onError(plural, error),
    };
  }

  #plan(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#timer = this.#plane.runtime.after(milliseconds, () => void this.#ask(milliseconds === SETTLING_MS));
  }

  async #ask(becauseOfChange: boolean): Promise<void> {
    if (this.#isAsking) {
      this.#isStale = true;
      return;
    }
    this.#isAsking = true;
    const next = await discover(this.#plane.client, this.#byVersion).catch((error: unknown) => {
      this.#plane.onError('discovery', error);
    });
    this.#isAsking = false;
    if (next) this.#take(next);
    if (this.#isStale) this.#plan(SETTLING_MS);
    else this.#plan(becauseOfChange || !next ? AGAIN_MS : PERIOD_MS);
    this.#isStale = false;
  }

  #take({ discovered, byVersion }: Awaited<ReturnType<typeof discover>>): void {
    if (this.#isClosed) return;
    const isSame = discovered.text === this.#discovered.text;
    this.#byVersion = byVersion;
    this.#discovered = discovered;
    this.#reportFailures();
    if (isSame) return;
    for (const tell of [...this.#followers]) tell();
  }

  #reportFailures(): void {
    for (const [apiVersion, error] of this.#discovered.failures) this.#plane.onError(apiVersion, error);
  }
}
