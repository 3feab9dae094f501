import { type Cache, registerCache } from '../../bounds/caches.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { CommitObserver, Write } from '../../registry/write.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Counter, SpaceSaving } from './space-saving.ts';

/** Who writes what, and how much of it changed nothing. */
export class WriterDetail {
  readonly user: string;
  readonly manager: string;
  readonly group: string;
  readonly resource: string;
  noOps = 0;

  constructor(user: string, manager: string, { group, plural }: Write['type']) {
    this.user = user;
    this.manager = manager;
    this.group = group;
    this.resource = plural;
  }
}

/** What is written, and how often the writer was another than the time before. */
export class ObjectDetail {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  noOps = 0;
  lastManager: string;
  alternations = 0;

  constructor({ group, plural }: Write['type'], { namespace = '', name = '' }: ApiObject['metadata'], manager: string) {
    this.group = group;
    this.resource = plural;
    this.namespace = namespace;
    this.name = name;
    this.lastManager = manager;
  }
}

const MOST_COUNTERS = 128;
/** Names of users can be longer than anybody wants to read; those of managers cannot. */
const LONGEST = 128;
const COUNTER_BYTES = 1024;
/** Of the looks at which caches age, that many make a period: five minutes. */
const AGES = 10;

class Period {
  readonly writers = new SpaceSaving<WriterDetail>(MOST_COUNTERS);
  readonly objects = new SpaceSaving<ObjectDetail>(MOST_COUNTERS);
  /** Milliseconds since the epoch. */
  readonly since: number;
  noOps = 0;

  constructor(since: number) {
    this.since = since;
  }
}

/** Counts who writes what, over this period and the one before, in sketches whose size does not depend on what is written. */
export class WriteActivityLog implements CommitObserver, Cache {
  readonly name = 'write activity';
  readonly #runtime: Runtime;
  #current: Period;
  #former: Period | undefined;
  #ages = 0;
  /** Of the current period. */
  #lastWriter: Counter<WriterDetail> | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#current = new Period(runtime.now());
    registerCache(this);
  }

  get bytes(): number {
    return this.entries * COUNTER_BYTES;
  }

  get entries(): number {
    return this.periods.reduce((sum, { writers, objects }) => sum + writers.size + objects.size, 0);
  }

  /** The one before comes first. */
  get periods(): readonly Period[] {
    return this.#former ? [this.#former, this.#current] : [this.#current];
  }

  age(): void {
    this.#ages = (this.#ages + 1) % AGES;
    if (this.#ages !== 0) return;
    this.#former = this.#current;
    this.#current = new Period(this.#runtime.now());
    this.#lastWriter = undefined;
  }

  committed(_revision: number, write: Write): void {
    this.#count(write, 0);
  }

  unchanged(write: Write): void {
    this.#count(write, 1);
    this.#current.noOps++;
  }

  #count({ type, live, options }: Write, noOps: number): void {
    const { fieldManager = '', user } = options;
    this.#writerOf(user.name, fieldManager, type).detail.noOps += noOps;
    // An object that is new has been written once: what is written often is there already.
    if (!live) return;
    const { objects } = this.#current;
    const known = objects.find(live.version.key);
    const counter = known
      ? objects.again(known)
      : objects.begin(live.version.key, new ObjectDetail(type, live.object.metadata, fieldManager));
    const { detail } = counter;
    detail.noOps += noOps;
    if (detail.lastManager === fieldManager) return;
    detail.alternations++;
    detail.lastManager = fieldManager;
  }

  /** Most writes are like the one before: then no key has to be put together. */
  #writerOf(user: string, manager: string, type: Write['type']): Counter<WriterDetail> {
    const { group, plural: resource } = type;
    const { writers } = this.#current;
    const last = this.#lastWriter;
    const isSame =
      last?.detail.user === user &&
      last.detail.manager === manager &&
      last.detail.resource === resource &&
      last.detail.group === group;
    if (isSame && !last.isGone) return writers.again(last);
    const shown = user.length > LONGEST ? user.slice(0, LONGEST) : user;
    const key = `${shown}\n${manager}\n${resource}.${group}`;
    const known = writers.find(key);
    this.#lastWriter = known ? writers.again(known) : writers.begin(key, new WriterDetail(shown, manager, type));
    return this.#lastWriter;
  }
}
