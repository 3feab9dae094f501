import { inSteps, type Rest, restEveryTurn, type Steps } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { SharedFormat } from '../storage/backend.ts';
import { type Entries, ListedEntries, SelectedEntries, type View } from '../storage/log/entries.ts';
import type { Version } from '../storage/log/version.ts';
import type { Subscriber, Subscription, VersionLog, Watch } from '../storage/log/version-log.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Catalogue, Resource } from './catalogue.ts';
import { isLong, parseObject, parseObjectInSteps } from './encoding.ts';
import type { Selection } from './facets.ts';
import { namespacePrefix, objectKey } from './keys.ts';
import { type Entry, type Extra, ParsedObjects } from './parsed-objects.ts';
import { type Prepare, PreparedEntries } from './prepared-entries.ts';
import {
  catchUp,
  get,
  type ListOptions,
  type ListResult,
  list,
  type OpenList,
  openLongList,
  type ReadOptions,
} from './read.ts';
import { Renderings, type StoredBytes } from './renderings.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

export interface ObjectsParts {
  readonly log: VersionLog;
  readonly catalogue: Catalogue;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  /** Whether an attempt to change a shared object is an exception. For tests: it takes time. */
  readonly freezes?: boolean;
}

/** Single objects as they are at this moment. */
export type ObjectReader = Pick<Objects, 'get'>;

/**
 * All reading of objects, whoever reads: requests, admission, authorization, control loops. Nobody else reaches the log
 * or parses stored bytes.
 *
 * Parts of the server read parsed values in the stored version (`get`, `list`, `of`). They are parsed once while they are
 * used, and shared by all who ask: nobody may change one. What has no kind in the catalogue has no objects. Requests read
 * versions (`read`, `readList`, `readLongList`, `entries`, `subscribe`), which come in a form that can be rendered in the
 * type asked for.
 */
export class Objects {
  /** Stored versions in other encodings, for those who answer requests. */
  readonly renderings = new Renderings();
  readonly #log: VersionLog;
  readonly #catalogue: Catalogue;
  readonly #runtime: Runtime;
  readonly #metaGroup: string;
  readonly #parsed: ParsedObjects;

  constructor({ log, catalogue, runtime, vocabulary, freezes = false }: ObjectsParts) {
    this.#log = log;
    this.#catalogue = catalogue;
    this.#runtime = runtime;
    this.#metaGroup = vocabulary.groups.meta;
    this.#parsed = new ParsedObjects(freezes);
  }

  /** Everything up to this revision can be read. */
  get revision(): number {
    return this.#log.revision;
  }

  /** The oldest revision that can be read. */
  get compacted(): number {
    return this.#log.compacted;
  }

  /** Up to which revision the past of single objects of a type is forgotten (`newest`). */
  forgotten({ collection }: ResourceType): number {
    return this.#log.forgotten(collection);
  }

  /** Others write to the same store, on other servers. */
  get isShared(): boolean {
    return this.#log.isShared;
  }

  /** In what form the store is written, where servers of several versions may share it. */
  get sharedFormat(): SharedFormat | undefined {
    return this.#log.format;
  }

  /** `namespace`: '' for objects that have none. */
  get<T extends ApiObject>(resource: Resource, namespace: string, name: string): T | undefined {
    const version = this.find(resource, namespace, name);
    return version && this.of<T>(version);
  }

  has(resource: Resource, namespace: string, name: string): boolean {
    return this.find(resource, namespace, name) !== undefined;
  }

  /** In key order; of all namespaces when none is given. */
  list<T extends ApiObject>(resource: Resource, namespace = ''): T[] {
    return this.versions(resource, namespace).map((version) => this.of<T>(version));
  }

  /** The object of a version. */
  of<T extends ApiObject>(version: Version): T {
    // One collection holds one kind: what was parsed for it is what is asked for.
    return this.entry(version).object as T;
  }

  /** As `of`, for those who look at many objects and will not come again: what is parsed for them is not kept. */
  once<T extends ApiObject>(version: Version): T {
    const { object } = this.#parsed.find(version) ??
      this.#parsed.written(version) ?? { object: this.#parsed.parse(version) };
    return object as T;
  }

  /** As `once`; a large object is parsed with rests. */
  async onceWithRests(version: Version): Promise<ApiObject> {
    return isLong(version.size)
      ? inSteps(this.#onceInSteps(version), restEveryTurn(this.#runtime))
      : this.once(version);
  }

  /** As `once`, for bytes that may be those of no version. */
  inBytes<T extends ApiObject>({ bytes, version }: StoredBytes): T {
    return version ? this.once<T>(version) : parseObject<T>(bytes);
  }

  /** As `inBytes`; a large object is parsed with rests. */
  async inBytesWithRests(stored: StoredBytes, rest: Rest): Promise<ApiObject> {
    if (!isLong(stored.bytes.length)) return this.inBytes(stored);
    const { bytes, version } = stored;
    return inSteps(version ? this.#onceInSteps(version) : parseObjectInSteps(bytes), rest);
  }

  *#onceInSteps(version: Version): Steps<ApiObject> {
    const known = this.#parsed.find(version) ?? this.#parsed.written(version);
    return known?.object ?? (yield* this.#parsed.parseInSteps(version));
  }

  /** Has a large object parsed with rests before somebody looks at its entry. */
  prepareEntry(version: Version): Promise<void> | undefined {
    if (!isLong(version.size) || this.#parsed.find(version)) return undefined;
    return this.#prepareLong(version);
  }

  async #prepareLong(version: Version): Promise<void> {
    const object = await inSteps(this.#onceInSteps(version), restEveryTurn(this.#runtime));
    if (!this.#parsed.find(version)) this.#parsed.keep(version, object, undefined);
  }

  /** The object of a version with what was left beside it. */
  entry(version: Version): Entry {
    return this.#parsed.find(version) ?? this.#parsed.written(version) ?? this.#parsed.read(version);
  }

  /** Leaves the object of a version, and what a writer wants to find beside it, for whoever reads it next. */
  keep(version: Version, object: ApiObject, extra?: Extra): void {
    this.#parsed.keep(version, object, extra);
  }

  /** As `keep`, for an object whose version before this one hardly anybody will read again. */
  replace(before: Version, version: Version, object: ApiObject, extra?: Extra): void {
    this.#parsed.drop(before);
    this.#parsed.keep(version, object, extra);
  }

  find(resource: Resource, namespace: string, name: string): Version | undefined {
    const type = this.#typeOf(resource);
    return type && this.#log.get(objectKey(type, namespace, name));
  }

  /**
   * The newest version of an object, be it a deletion, while it is remembered. `previous` leads on to older ones, as far as
   * these are (`forgotten`).
   */
  newest(type: ResourceType, namespace: string, name: string): Version | undefined {
    return this.#log.newest(objectKey(type, namespace, name));
  }

  /** Older versions with their bytes in memory; see `VersionLog.fetch`. Throws `HistoryGone`. */
  fetch(versions: readonly Version[]): Promise<Version[]> {
    return this.#log.fetch(versions);
  }

  /** All there are now, in key order; `start`: only those whose names begin with it, within a namespace if there are any. */
  versions(resource: Resource, namespace = '', start = ''): Version[] {
    const type = this.#typeOf(resource);
    return type ? this.#log.list(type.collection, { prefix: `${namespacePrefix(type, namespace)}${start}` }) : [];
  }

  /** As `versions`, also when the catalogue does not have the type any more. */
  versionsIn(type: ResourceType, namespace = ''): Version[] {
    return this.#log.list(type.collection, { prefix: namespacePrefix(type, namespace) });
  }

  /** Some of those there are now. */
  sample(resource: Resource, limit: number): Version[] {
    const type = this.#typeOf(resource);
    return type ? this.#log.list(type.collection, { limit }) : [];
  }

  count(resource: Resource, namespace = ''): number {
    const type = this.#typeOf(resource);
    return type ? this.#log.count(type.collection, { prefix: namespacePrefix(type, namespace) }) : 0;
  }

  /** What `versions` would give now, to be read at leisure. */
  view(resource: Resource, namespace = ''): View {
    const type = this.#typeOf(resource);
    return type ? this.#log.view(type.collection, namespacePrefix(type, namespace)) : new ListedEntries([]);
  }

  /** One object as a request for it is answered: 404 when it is not there. */
  read(type: ResourceType, namespace: string, name: string, options?: ReadOptions): Promise<Version> {
    const reading = get(this.#log, type, namespace, name, options);
    const prepare = this.preparing(type);
    return prepare ? reading.then(async (version) => (await prepare([version]))?.[0] ?? version) : reading;
  }

  /** A list, or a page of one. */
  readList(type: ResourceType, namespace: string, options?: ListOptions): Promise<ListResult> {
    const rest = restEveryTurn(this.#runtime);
    const prepare = this.preparing(type);
    const isSelectedPrepared = prepare && selectsPrepared(options?.selection);
    const selecting = isSelectedPrepared ? { rest, prepare } : { rest };
    const reading = list(this.#log, this.#metaGroup, type, namespace, { ...selecting, ...options });
    return prepare && !isSelectedPrepared
      ? reading.then(async (result) => ({ ...result, items: (await prepare(result.items)) ?? result.items }))
      : reading;
  }

  /** Everything there is, to be read at leisure; undefined when that is little, or not what is asked for. */
  async readLongList(type: ResourceType, namespace: string, options: ListOptions): Promise<OpenList | undefined> {
    const long = await openLongList(this.#log, this.#metaGroup, type, namespace, options);
    if (!long) return undefined;
    const again = (): Entries => this.#shown(type, long.view.again(), options.selection);
    return { revision: long.revision, entries: again(), again };
  }

  /** What a watch of a scope (see `Watch`) begins with. */
  entries(type: ResourceType, scope: string, selection: Selection | undefined): Entries {
    return this.#shown(type, this.#present(type, scope), selection);
  }

  /** Stored versions as a reader of the type is shown them. */
  #shown(type: ResourceType, stored: Entries, selection: Selection | undefined): Entries {
    const prepare = this.preparing(type);
    if (prepare && selection && selectsPrepared(selection)) {
      return new SelectedEntries(new PreparedEntries(stored, prepare), selection);
    }
    const selected = selection ? new SelectedEntries(stored, selection) : stored;
    return prepare ? new PreparedEntries(selected, prepare) : selected;
  }

  /** Hands over versions of the type as they are stored: whoever shows them has them prepared (`preparing`). Throws `HistoryGone`. */
  subscribe({ collection }: ResourceType, watch: Watch, subscriber: Subscriber): Subscription {
    return this.#log.subscribe(collection, watch, subscriber);
  }

  /** What brings versions of the type into a form that can be rendered (`Kind.prepare`); undefined: they always are. */
  preparing(type: ResourceType): Prepare | undefined {
    const kind = this.#catalogue.kindOf(type);
    return kind?.converts ? (versions) => kind.prepare(versions, type) : undefined;
  }

  /** Settles when the log holds what a read of this version may not miss; undefined when it does already. */
  catchUp(resourceVersion: string): Promise<unknown> | undefined {
    return catchUp(this.#log, resourceVersion);
  }

  #present({ collection }: ResourceType, scope: string): Entries {
    if (scope === '' || scope.endsWith('/')) return this.#log.view(collection, scope);
    const version = this.#log.get(`/${collection}/${scope}`);
    return new ListedEntries(version ? [version] : []);
  }

  #typeOf({ group, plural }: Resource): ResourceType | undefined {
    return this.#catalogue.preferred(group, plural);
  }
}

/**
 * What an object says can differ between versions: where they are prepared, it counts in the one that is asked for. Names
 * do not differ, and nothing is prepared in vain when they are looked at first.
 */
export const selectsPrepared = (selection: Selection | undefined): boolean =>
  selection !== undefined && !selection.byName;
