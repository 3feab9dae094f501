import { ApiError, type Details } from '../api/errors.ts';
import type { Propagation } from '../meta/dependents.ts';
import type { ObjectMeta } from '../meta/object-meta.ts';
import { collectionPath, objectPath, type ServedKind, type Target } from './served-kind.ts';

/** What every object has. */
export interface AnyObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** A request on its way to a plane, wherever that is. */
export interface PlaneRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  /** JSON. */
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** After so long nobody waits for an answer any more. */
  readonly timeoutMs?: number;
}

export interface PlaneAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Has a request answered: over a connection, or by a plane in the same process. Rejects when there is no answer. */
export type Send = (request: PlaneRequest) => Promise<PlaneAnswer>;

export interface DeletionOptions {
  /** Only the object that has this uid, or this version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
}

/** A list, or a page of one. */
export interface ListedObjects<T extends AnyObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Where the next page begins; '' when this is the last one. */
  readonly next: string;
  /** How many there are besides these, where it is known. */
  readonly remaining: number;
}

export interface ListingOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly next?: string;
  /** Names, labels and the rest of the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** Another writer came first so often that something is wrong, and whoever writes should begin anew. */
const MOST_ATTEMPTS = 8;

/**
 * Requests to a plane, each as one call. Refusals are thrown as the `ApiError` that the plane answered with.
 *
 * It does not know how requests travel, which is why what is written with it, such as control loops, runs inside a
 * server and beside one.
 */
export class PlaneClient {
  readonly #send: Send;
  /** Name of the group of options and partial metadata. */
  readonly #metaGroup: string;

  constructor(send: Send, metaGroup: string) {
    this.#send = send;
    this.#metaGroup = metaGroup;
  }

  get<T extends AnyObject>(target: Target): Promise<T> {
    return this.#ask<T>({ method: 'GET', target: objectPath(target) });
  }

  /** What is at a path that is no object: what is served, and the like. */
  document<T>(path: string): Promise<T> {
    return this.#ask<T>({ method: 'GET', target: path });
  }

  /** As `get`; undefined where there is none. */
  async find<T extends AnyObject>(target: Target): Promise<T | undefined> {
    return this.get<T>(target).catch(unless('NotFound'));
  }

  /**
   * The metadata of an object. Undefined when there is certainly none: that what it would be of is not served, or not any
   * more, is another refusal, and is thrown.
   */
  async findMetadata(target: Target): Promise<ObjectMeta | undefined> {
    const accept = this.#partial('PartialObjectMetadata');
    const found = this.#ask<AnyObject>({ method: 'GET', target: objectPath(target), accept });
    return found.then(
      ({ metadata }) => metadata,
      (error: unknown) => {
        if (!isRefusal(error, 'NotFound') || error.details?.name !== target.name) throw error;
        return undefined;
      },
    );
  }

  async list<T extends AnyObject>(
    kind: ServedKind,
    namespace: string,
    options: ListingOptions = {},
  ): Promise<ListedObjects<T>> {
    const { items, metadata } = await this.#ask<ListDocument<T>>({
      method: 'GET',
      target: withQuery(collectionPath(kind, namespace), queryOf(options)),
      ...(options.metadataOnly ? { accept: this.#partial('PartialObjectMetadataList') } : {}),
    });
    const { resourceVersion = '', continue: next = '', remainingItemCount: remaining = 0 } = metadata;
    return { items, resourceVersion, next, remaining };
  }

  /** Gives what the plane made of the document: reviews carry their answer in it. */
  create<T extends AnyObject>(kind: ServedKind, namespace: string, document: object): Promise<T> {
    return this.#ask<T>({ method: 'POST', target: collectionPath(kind, namespace), body: JSON.stringify(document) });
  }

  /** To a subresource: an eviction, a request for a token. */
  post<T extends AnyObject>(target: Target, document: object): Promise<T> {
    return this.#ask<T>({ method: 'POST', target: objectPath(target), body: JSON.stringify(document) });
  }

  replace<T extends AnyObject>(target: Target, document: object): Promise<T> {
    return this.#ask<T>({ method: 'PUT', target: objectPath(target), body: JSON.stringify(document) });
  }

  /**
   * Changes an object that was read a moment ago. `change` is given it, and what has become of it when another was
   * faster, and says what it is to be, or undefined when there is nothing to do. What is another object by now, or gone,
   * is left alone. Gives what it is now; undefined in that case.
   */
  async change<T extends AnyObject>(
    target: Target,
    seen: T,
    change: (object: T) => object | undefined,
  ): Promise<T | undefined> {
    let current: T | undefined = seen;
    for (let attempt = 1; ; attempt++) {
      const changed = change(current);
      if (!changed) return current;
      const outcome = await this.replace<T>(target, changed).catch(unless('NotFound', 'Conflict'));
      if (outcome) return outcome;
      if (attempt === MOST_ATTEMPTS) throw new Error(`others changed ${objectPath(target)} first, ${attempt} times`);
      current = await this.find<T>({ ...target, subresource: '' });
      if (current?.metadata.uid !== seen.metadata.uid || !current) return undefined;
    }
  }

  mergePatch<T extends AnyObject>(target: Target, patch: object): Promise<T> {
    const contentType = 'application/merge-patch+json';
    return this.#ask<T>({ method: 'PATCH', target: objectPath(target), body: JSON.stringify(patch), contentType });
  }

  async delete(target: Target, options: DeletionOptions = {}): Promise<void> {
    await this.#tell({ method: 'DELETE', target: objectPath(target), body: this.#deletion(options) });
  }

  /** As `delete`; it is as good when there is none, or another one by now. */
  async deleteIfThere(target: Target, options: DeletionOptions = {}): Promise<void> {
    await this.delete(target, options).catch(unless('NotFound', 'Conflict'));
  }

  /** Deletes all of a kind, or a page of it; gives where the next page begins, '' when this was the last one. */
  async deleteCollection(
    kind: ServedKind,
    namespace: string,
    options: DeletionOptions = {},
    page: Pick<ListingOptions, 'limit' | 'next'> = {},
  ): Promise<string> {
    const answer = await this.#ask<ListDocument<AnyObject>>({
      method: 'DELETE',
      target: withQuery(collectionPath(kind, namespace), queryOf(page)),
      body: this.#deletion(options),
      // What was there is in the answer.
      accept: this.#partial('PartialObjectMetadataList'),
    });
    return answer.metadata.continue ?? '';
  }

  #partial(kind: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
    return `application/json;as=${kind};g=${this.#metaGroup};v=v1`;
  }

  #deletion(options: DeletionOptions): string {
    return JSON.stringify({ kind: 'DeleteOptions', apiVersion: `${this.#metaGroup}/v1`, ...options });
  }

  async #ask<T>(request: PlaneRequest): Promise<T> {
    return JSON.parse((await this.#tell(request)).toString()) as T;
  }

  /** What the plane answers, unread unless it refuses. */
  async #tell(request: PlaneRequest): Promise<Buffer> {
    const { status, body } = await this.#send(request);
    if (status >= 400) throw refusalIn(status, JSON.parse(body.toString()));
    return body;
  }
}

interface ListDocument<T> {
  readonly items: readonly T[];
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

function queryOf(options: ListingOptions): URLSearchParams {
  const query = new URLSearchParams();
  if (options.labelSelector) query.set('labelSelector', options.labelSelector);
  if (options.fieldSelector) query.set('fieldSelector', options.fieldSelector);
  if (options.limit !== undefined) query.set('limit', String(options.limit));
  if (options.next) query.set('continue', options.next);
  return query;
}

const withQuery = (path: string, query: URLSearchParams): string => (query.size === 0 ? path : `${path}?${query}`);

/** The refusal that a Status tells of. */
export function refusalIn(status: number, answer: unknown): ApiError {
  const {
    reason = '',
    message = `the answer was ${status}`,
    details,
  } = answer as {
    readonly reason?: string;
    readonly message?: string;
    readonly details?: Details;
  };
  return new ApiError(reason, message, details, status);
}

/** Refusals for one of these reasons are as good as an answer, with nothing in it. */
export const unless =
  (...reasons: readonly string[]) =>
  (error: unknown): undefined => {
    if (!isRefusal(error, ...reasons)) throw error;
  };

export const isRefusal = (error: unknown, ...reasons: readonly string[]): error is ApiError =>
  error instanceof ApiError && reasons.includes(error.reason);
