import { ApiError, type Details, type StatusMetadata, usualReason } from '../api/errors.ts';
import type { Propagation } from '../meta/dependents.ts';
import type { ObjectMeta } from '../meta/object-meta.ts';
import {
  type ApplyOptions,
  type GetOptions,
  type ListingOptions,
  listParameters,
  type RequestOptions,
  type WriteOptions,
  withQuery,
  writeParameters,
} from './request-options.ts';
import { collectionPath, type NamedKind, objectPath, type Target } from './served-kind.ts';

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
  /** Cancels it. */
  readonly signal?: AbortSignal | undefined;
  /** How often it is sent again when the plane says that it has too much to do, and when to come again. */
  readonly retries?: number;
}

/** An answer, whatever its status. */
export interface PlaneAnswer {
  readonly status: number;
  /** Names in small letters. Absent where an answer came from the same process. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Has a request answered: over a connection, or by a plane in the same process. Rejects when there is no answer. */
export type Send = (request: PlaneRequest) => Promise<PlaneAnswer>;

/** How an object goes, and its dependents. */
export interface DeletionOptions extends RequestOptions {
  /** Only the object that has this uid, or this version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: Propagation | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The ways to say a change, each under the name of its media type. */
export type PatchForm = 'merge' | 'json' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<PatchForm, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A list, or a page of one. */
export interface ListedObjects<T extends AnyObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Where the next page begins; '' when this is the last one. */
  readonly next: string;
  /** How many there are besides these, where it is known. */
  readonly remaining: number;
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

  get<T extends AnyObject>(target: Target, { resourceVersion, signal }: GetOptions = {}): Promise<T> {
    return this.#ask<T>({ method: 'GET', target: withQuery(objectPath(target), { resourceVersion }), signal });
  }

  /** What is at a path that is no object: what is served, and the like. */
  document<T>(path: string): Promise<T> {
    return this.#ask<T>({ method: 'GET', target: path });
  }

  /** As `get`; undefined where there is none. */
  async find<T extends AnyObject>(target: Target, options?: GetOptions): Promise<T | undefined> {
    return this.get<T>(target, options).catch(unless('NotFound'));
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
    kind: NamedKind,
    namespace: string,
    options: ListingOptions = {},
  ): Promise<ListedObjects<T>> {
    const { items, metadata } = await this.#ask<ListDocument<T>>({
      method: 'GET',
      target: withQuery(collectionPath(kind, namespace), listParameters(options)),
      signal: options.signal,
      ...(options.metadataOnly ? { accept: this.#partial('PartialObjectMetadataList') } : {}),
    });
    const { resourceVersion = '', continue: next = '', remainingItemCount: remaining = 0 } = metadata;
    return { items: items ?? [], resourceVersion, next, remaining };
  }

  /** Gives what the plane made of the document: reviews carry their answer in it. */
  create<T extends AnyObject>(
    kind: NamedKind,
    namespace: string,
    document: object,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#write<T>('POST', collectionPath(kind, namespace), document, options);
  }

  /** To a subresource: an eviction, a request for a token. */
  post<T extends AnyObject>(target: Target, document: object, options?: WriteOptions): Promise<T> {
    return this.#write<T>('POST', objectPath(target), document, options);
  }

  replace<T extends AnyObject>(target: Target, document: object, options?: WriteOptions): Promise<T> {
    return this.#write<T>('PUT', objectPath(target), document, options);
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

  /** Changes an object by what is different. `force` is for applied documents. */
  patch<T extends AnyObject>(target: Target, form: PatchForm, patch: object, options: ApplyOptions = {}): Promise<T> {
    return this.#ask<T>({
      method: 'PATCH',
      target: withQuery(objectPath(target), { ...writeParameters(options), force: options.force }),
      body: JSON.stringify(patch),
      contentType: PATCH_TYPES[form],
      signal: options.signal,
    });
  }

  mergePatch<T extends AnyObject>(target: Target, patch: object): Promise<T> {
    return this.patch<T>(target, 'merge', patch);
  }

  async delete(target: Target, options: DeletionOptions = {}): Promise<void> {
    await this.#tell(this.#deletionOf(target, options));
  }

  /** As `delete`; gives the object where the plane answers with it, as it does while finalizers are still to run. */
  async deleteAnswered<T extends AnyObject>(target: Target, options: DeletionOptions = {}): Promise<T | undefined> {
    const answer = await this.#ask<T>(this.#deletionOf(target, options));
    return answer.kind === 'Status' ? undefined : answer;
  }

  /** As `delete`; it is as good when there is none, or another one by now. */
  async deleteIfThere(target: Target, options: DeletionOptions = {}): Promise<void> {
    await this.delete(target, options).catch(unless('NotFound', 'Conflict'));
  }

  /** Deletes all of a kind, or a page of it; gives where the next page begins, '' when this was the last one. */
  async deleteCollection(
    kind: NamedKind,
    namespace: string,
    options: DeletionOptions = {},
    page: Omit<ListingOptions, 'metadataOnly' | 'signal'> = {},
  ): Promise<string> {
    const answer = await this.#ask<ListDocument<AnyObject>>({
      method: 'DELETE',
      target: withQuery(collectionPath(kind, namespace), listParameters(page)),
      body: this.#deletion(options),
      signal: options.signal,
      // What was there is in the answer.
      accept: this.#partial('PartialObjectMetadataList'),
    });
    return answer.metadata.continue ?? '';
  }

  #partial(kind: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
    return `application/json;as=${kind};g=${this.#metaGroup};v=v1`;
  }

  #deletionOf(target: Target, options: DeletionOptions): PlaneRequest {
    const { signal } = options;
    return { method: 'DELETE', target: objectPath(target), body: this.#deletion(options), signal };
  }

  #deletion({ signal: _, dryRun, ...options }: DeletionOptions): string {
    const apiVersion = `${this.#metaGroup}/v1`;
    return JSON.stringify({ kind: 'DeleteOptions', apiVersion, ...options, ...(dryRun ? { dryRun: ['All'] } : {}) });
  }

  #write<T>(method: 'POST' | 'PUT', path: string, document: object, options: WriteOptions = {}): Promise<T> {
    const target = withQuery(path, writeParameters(options));
    return this.#ask<T>({ method, target, body: JSON.stringify(document), signal: options.signal });
  }

  async #ask<T>(request: PlaneRequest): Promise<T> {
    return JSON.parse((await this.#tell(request)).toString()) as T;
  }

  /** What the plane answers, unread unless it refuses. */
  async #tell(request: PlaneRequest): Promise<Buffer> {
    const answer = await this.#send(request);
    if (answer.status >= 400) throw refusalFrom(answer);
    return answer.body;
  }
}

interface ListDocument<T> {
  /** Null where there are none, as some servers write it. */
  readonly items: readonly T[] | null;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** The refusal that a Status tells of. */
export function refusalIn(status: number, answer: unknown): ApiError {
  const {
    reason = usualReason(status),
    message = `the answer was ${status}`,
    details,
    metadata,
  } = answer as {
    readonly reason?: string;
    readonly message?: string;
    readonly details?: Details;
    readonly metadata?: StatusMetadata;
  };
  return new ApiError(reason, message, details, status, metadata);
}

/** What is not said in a Status comes from something between the plane and here, and may be a long page. */
const LONGEST_FOREIGN_TEXT = 200;

/** The refusal that an answer is, whoever gave it. */
export function refusalFrom({ status, body, headers }: PlaneAnswer): ApiError {
  const refusal = refusalIn(status, statusIn(body.toString()));
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  if (refusal.retryAfterSeconds !== undefined || !(seconds >= 0)) return refusal;
  const { reason, message, details, code, metadata } = refusal;
  return new ApiError(reason, message, { ...details, retryAfterSeconds: seconds }, code, metadata);
}

function statusIn(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Told as it is.
  }
  return text.trim() === '' ? {} : { message: text.trim().slice(0, LONGEST_FOREIGN_TEXT) };
}

/** Refusals for one of these reasons are as good as an answer, with nothing in it. */
export const unless =
  (...reasons: readonly string[]) =>
  (error: unknown): undefined => {
    if (!isRefusal(error, ...reasons)) throw error;
  };

/** Whether an error is an answer of the plane for one of these reasons. */
export const isRefusal = (error: unknown, ...reasons: readonly string[]): error is ApiError =>
  error instanceof ApiError && reasons.includes(error.reason);
