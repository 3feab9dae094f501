import type { SimulatedWorld } from '../histories/simulated-world.ts';

export interface Thing {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: { readonly on: 'yes' | 'no' };
  };
  readonly note?: string;
}

/** A change: what an object was and what it is; undefined when there is none. */
export interface Version {
  readonly revision: number;
  readonly before: Thing | undefined;
  readonly after: Thing | undefined;
}

/** Which objects somebody asks for. */
export interface Scope {
  /** '' for all. */
  readonly namespace: string;
  readonly onlyOn: boolean;
  readonly metadataOnly: boolean;
}

const NAMESPACES = ['a', 'b'];
const NAMES = ['1', '2', '3', '4', '5', '6', '7', '8'];

export const keyOf = ({ metadata }: Pick<Thing, 'metadata'>): string => `${metadata.namespace}/${metadata.name}`;

const isIn = ({ namespace, onlyOn }: Scope, thing: Thing | undefined): thing is Thing =>
  thing !== undefined &&
  (namespace === '' || thing.metadata.namespace === namespace) &&
  (!onlyOn || thing.metadata.labels.on === 'yes');

/** What is sent of an object. */
export function shown({ metadataOnly }: Scope, thing: Thing): Thing {
  if (!metadataOnly) return thing;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta/v1', metadata: thing.metadata };
}

/** Everything that was ever written, so that what a plane had at any revision can be said. */
export class VersionModel {
  readonly #world: SimulatedWorld;
  readonly #versions: Version[] = [];
  readonly #byKey = new Map<string, Version[]>();
  #revision = 100;
  /** Versions up to this one are forgotten: nobody can watch or list from before it. */
  compacted = 100;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  get revision(): number {
    return this.#revision;
  }

  /** One write as chance has it: of an object that is followed or of something else. */
  write(): Version | undefined {
    const world = this.#world;
    const revision = ++this.#revision;
    if (world.chance(0.2)) return undefined;
    const namespace = NAMESPACES[world.below(NAMESPACES.length)] ?? '';
    const name = NAMES[world.below(NAMES.length)] ?? '';
    const before = this.#at(`${namespace}/${name}`, revision);
    const isDeleted = before !== undefined && world.chance(0.3);
    const after = isDeleted ? undefined : this.#made(before, namespace, name, revision);
    const version = { revision, before, after };
    this.#versions.push(version);
    const key = `${namespace}/${name}`;
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []).slice(-200), version]);
    return version;
  }

  compactTo(revision: number): void {
    this.compacted = Math.max(this.compacted, Math.min(revision, this.#revision));
  }

  /** What a list had in it at a revision, by key and in order. */
  listAt(revision: number, scope: Scope): Thing[] {
    return NAMESPACES.flatMap((namespace) => NAMES.map((name) => this.#at(`${namespace}/${name}`, revision)))
      .filter((thing) => isIn(scope, thing))
      .map((thing) => shown(scope, thing));
  }

  /** The events of a watch after a revision. */
  eventsAfter(revision: number, scope: Scope): { readonly revision: number; readonly event: object }[] {
    let from = this.#versions.length;
    while (from > 0 && (this.#versions[from - 1]?.revision ?? 0) > revision) from--;
    return this.#versions.slice(from).flatMap((version) => {
      const event = eventOf(version, scope);
      return event ? [{ revision: version.revision, event }] : [];
    });
  }

  #made(before: Thing | undefined, namespace: string, name: string, revision: number): Thing {
    const on = this.#world.chance(0.6) ? 'yes' : 'no';
    const uid = before?.metadata.uid ?? `uid-${revision}`;
    const metadata = { namespace, name, uid, resourceVersion: String(revision), labels: { on } } as const;
    return { kind: 'Thing', apiVersion: 'v1', metadata, note: `${'ü€'.repeat(this.#world.below(9))}${revision}` };
  }

  #at(key: string, revision: number): Thing | undefined {
    return this.#byKey.get(key)?.findLast((version) => version.revision <= revision)?.after;
  }
}

/** What a watch of a part is sent of a change, if anything. */
export function eventOf({ before, after, revision }: Version, scope: Scope): object | undefined {
  if (isIn(scope, after)) return { type: isIn(scope, before) ? 'MODIFIED' : 'ADDED', object: shown(scope, after) };
  if (!isIn(scope, before)) return undefined;
  const last = { ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } };
  return { type: 'DELETED', object: shown(scope, last) };
}
