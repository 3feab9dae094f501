import type { Informer, InformerOptions } from '../informing/informer.ts';
import type { Reflected } from '../informing/reflector.ts';
import type { AnyObject, ListedObjects } from '../plane-client.ts';
import { type ListingOptions, type Selection, selectionParameters } from '../request-options.ts';
import { apiVersionOfKind, type NamedKind } from '../served-kind.ts';
import type { PlaneAccess, Scope } from './plane-access.ts';
import { type WatchEvent, type WatchOptions, watchEvents } from './watch-events.ts';

/** Objects of one page, where nothing else is asked for. */
const USUAL_PAGE = 500;

/** What an informer is to hold, and by what else its objects are found. */
export type FollowOptions<T extends AnyObject, Index extends string = never> = Selection &
  Omit<InformerOptions<T, Index>, keyof Reflected>;

/** Which objects of a kind, as of which version, and how many at a time. */
export type ListOptions = Omit<ListingOptions, 'metadataOnly'>;

/** Reads all objects of a kind, or of one namespace. */
export class CollectionClient<T extends AnyObject> {
  readonly #access: PlaneAccess;
  readonly #scope: Scope;

  constructor(access: PlaneAccess, scope: Scope) {
    this.#access = access;
    this.#scope = scope;
  }

  /** All objects at once, or the first `limit` of them and where the next begin. */
  async list(options?: ListOptions): Promise<ListedObjects<T>> {
    const { namespace } = this.#scope;
    const kind = await this.#scope.kind();
    const listed = await this.#access.plane.list<T>(kind, namespace, options);
    return { ...listed, items: listed.items.map((item) => complete(item, kind)) };
  }

  /** All objects, `limit` at a time, as they were when the first page was read. */
  async *pages(options: ListOptions = {}): AsyncGenerator<ListedObjects<T>, void, undefined> {
    let next = options.next ?? '';
    do {
      const page = await this.list({ limit: USUAL_PAGE, ...pageOf(options, next) });
      yield page;
      next = page.next;
    } while (next !== '');
  }

  /** As `pages`, one object after the other. */
  async *each(options: ListOptions = {}): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages(options)) yield* items;
  }

  /** Knows all objects, and what becomes of them, until it is closed. */
  informer<Index extends string = never>(options: FollowOptions<T, Index> = {}): Promise<Informer<T, Index>> {
    return this.#inform(options, false);
  }

  /** As `informer`, of names, labels, owners and the rest of the metadata alone. */
  metadataInformer<Index extends string = never>(
    options: FollowOptions<AnyObject, Index> = {},
  ): Promise<Informer<AnyObject, Index>> {
    return this.#inform(options, true);
  }

  /** What happens to objects, for as long as somebody asks. */
  watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>, void, undefined> {
    return watchEvents<T>(this.#access, this.#scope, options);
  }

  async #inform<O extends AnyObject, Index extends string>(
    { labelSelector, fieldSelector, ...others }: FollowOptions<O, Index>,
    metadataOnly: boolean,
  ): Promise<Informer<O, Index>> {
    const { Informer } = await import('../informing/informer.ts');
    const selection = selectionParameters({ labelSelector, fieldSelector });
    const { namespace } = this.#scope;
    const kind = await this.#scope.kind();
    return new Informer<O, Index>(this.#access.informed, { ...others, ...selection, kind, namespace, metadataOnly });
  }
}

/** Later pages are of the version that the first one was; a plane refuses to be told another. */
function pageOf(options: ListOptions, next: string): ListOptions {
  if (next === '') return options;
  const { resourceVersion: _version, resourceVersionMatch: _match, ...others } = options;
  return { ...others, next };
}

/** Items of lists need not say what they are. */
const complete = <T extends AnyObject>(item: T, kind: NamedKind): T =>
  item.kind === undefined ? { ...item, apiVersion: apiVersionOfKind(kind), kind: kind.kind } : item;
