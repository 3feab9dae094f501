import { ApiError } from '../../api/errors.ts';
import { AnswerTooLarge } from '../../outbound/failures.ts';
import type { AnyObject } from '../plane-client.ts';
import { apiVersionOfKind, collectionPath, type NamedKind } from '../served-kind.ts';
import { Backoff } from './backoff.ts';
import { eventsIn, type SentEvent } from './event-stream.ts';
import type { ByteStream, InformedPlane } from './informed-plane.ts';
import { Interrupted, Interruptible, NoAnswer } from './interruptible.ts';
import { refusalInEvent, refusalOf, retryAfterMs } from './refusals.ts';

const FIRST_PAGE_SIZE = 500;
/** Asked for, so that a plane that has forgotten a watch does not keep it, and watches do not end all at once. */
const WATCH_SECONDS = { least: 300, most: 600 };
/** Planes send a bookmark every minute: when not even those come, the connection is dead. */
const IDLE_MS = 150_000;
/** A little more than a plane may take for a request. */
const ANSWER_MS = 75_000;
const GONE = 410;

/** Called with what there is of a kind, in order. */
export interface Reflection {
  /** The whole state follows: what is set and not removed until `onListed` is all there is. It may begin anew. */
  onListing(): void;
  /** The state is whole, and that of this version. */
  onListed(version: string): void;
  /** An object that is there, or a new version of one. */
  onSet(object: AnyObject): void;
  /** The last version of an object that is gone. */
  onRemove(object: AnyObject): void;
  /** Nothing changed up to this version. */
  onBookmark?(version: string): void;
  /** What went wrong is tried again. */
  onError(error: unknown): void;
}

/** Which objects to follow. */
export interface Reflected {
  readonly kind: NamedKind;
  /** '' for all. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Names, labels, owners and the rest of the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** The plane does not know `sendInitialEvents`. */
class NotStreamed extends Error {}

/**
 * Follows a kind until it is closed: first everything there is, then changes. A watch that ends or breaks is resumed after
 * the last version that came; when the plane has forgotten what followed that one, everything is read again.
 *
 * Everything is read from the beginning of a watch where the plane offers that (`sendInitialEvents`), otherwise from a
 * list in pages, which is also what a stream that breaks off is followed by: pages get on where streams do not.
 */
export class Reflector {
  readonly #plane: InformedPlane;
  readonly #reflected: Reflected;
  readonly #reflection: Reflection;
  readonly #backoff: Backoff;
  readonly #waiting: Interruptible;
  /** Up to which version everything was handed on; '' when everything has to be read. */
  #version = '';
  #canStream = true;
  #streamBroke = false;
  #pageSize = FIRST_PAGE_SIZE;
  /** Since when a watch tells of changes; undefined while none does. */
  #workingSince: number | undefined;
  #isClosed = false;

  constructor(plane: InformedPlane, reflected: Reflected, reflection: Reflection) {
    this.#plane = plane;
    this.#reflected = reflected;
    this.#reflection = reflection;
    this.#backoff = new Backoff(plane.runtime);
    this.#waiting = new Interruptible(plane.runtime);
    void this.#run();
  }

  /** Reads everything again, also what is being read. */
  relist(): void {
    this.#version = '';
    this.#waiting.interrupt();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.interrupt();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#waiting.begin();
      this.#workingSince = undefined;
      const isStreaming = this.#version === '' && this.#canStream && !this.#streamBroke;
      try {
        if (this.#version !== '' || isStreaming) await this.#watch();
        else await this.#list();
      } catch (error) {
        if (!(error instanceof Interrupted)) await this.#recover(error, isStreaming && this.#version === '');
      }
    }
  }

  async #list(): Promise<void> {
    const { client } = this.#plane;
    const { kind, namespace = '', labelSelector, fieldSelector, metadataOnly = false } = this.#reflected;
    const selectors = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
    this.#reflection.onListing();
    let listed = { next: '', resourceVersion: '' };
    do {
      const options = { ...selectors, limit: this.#pageSize, next: listed.next, metadataOnly };
      const page = await this.#waiting.within(ANSWER_MS, client.list(kind, namespace, options));
      for (const object of page.items) this.#reflection.onSet(this.#whole(object));
      listed = page;
    } while (listed.next !== '');
    this.#waiting.check();
    this.#markListed(listed.resourceVersion);
  }

  /** Resolves when the watch has ended as watches do. */
  async #watch(): Promise<void> {
    const { runtime, openStream } = this.#plane;
    if (this.#version === '') this.#reflection.onListing();
    else this.#workingSince = runtime.monotonic();
    const target = this.#watchTarget();
    const opening = openStream(target, this.#accept());
    const stream = await this.#waiting.within(ANSWER_MS, opening, (late) => void late.destroy());
    await this.#waiting.during(stream, async () => {
      if ((stream.statusCode ?? 0) >= 400) throw await this.#readRefusal(stream);
      await this.#readEvents(stream);
    });
    if (this.#version === '') throw new Error('a watch ended before it had told of everything');
    await this.#waiting.pause(this.#backoff.next(this.#workedMs));
  }

  async #readRefusal(stream: ByteStream): Promise<ApiError> {
    const timer = this.#plane.runtime.after(ANSWER_MS, () => {
      stream.destroy(new NoAnswer(`a refusal with status ${stream.statusCode} did not end`));
    });
    try {
      return await refusalOf(stream);
    } finally {
      timer.cancel();
    }
  }

  async #readEvents(stream: ByteStream): Promise<void> {
    for await (const event of eventsIn(stream, this.#plane.runtime, IDLE_MS)) {
      this.#waiting.check();
      this.#take(event);
    }
  }

  #take({ type, object }: SentEvent): void {
    if (type === 'ERROR') throw refusalInEvent(object);
    const whole = this.#whole(object as AnyObject);
    const version = whole.metadata?.resourceVersion ?? '';
    if (version === '') throw new Error(`an event of type ${type} has no version`);
    if (type === 'BOOKMARK') this.#takeBookmark(whole, version);
    else if (type === 'DELETED') this.#reflection.onRemove(whole);
    else if (type === 'ADDED' || type === 'MODIFIED') this.#reflection.onSet(whole);
    else throw new Error(`an event has the unknown type ${type}`);
    if (this.#version !== '') this.#version = version;
  }

  #takeBookmark({ metadata }: AnyObject, version: string): void {
    if (this.#version !== '') {
      this.#reflection.onBookmark?.(version);
      return;
    }
    const { initialEventsEnd } = this.#plane.vocabulary.annotations;
    if (metadata.annotations?.[initialEventsEnd] !== 'true') throw new NotStreamed();
    this.#markListed(version);
    this.#workingSince = this.#plane.runtime.monotonic();
  }

  #markListed(version: string): void {
    if (version === '') throw new Error('a list has no version');
    this.#version = version;
    this.#streamBroke = false;
    this.#reflection.onListed(version);
  }

  /** `isStreaming`: it went wrong before the state that was streamed was whole. */
  async #recover(error: unknown, isStreaming: boolean): Promise<void> {
    const { code } = error instanceof ApiError ? error : { code: 0 };
    if (isStreaming && (error instanceof NotStreamed || code === 400 || code === 422)) {
      this.#canStream = false;
      return;
    }
    if (isStreaming) this.#streamBroke = true;
    // That a watch cannot be resumed is nothing to tell of: everything is read again instead.
    if (code === GONE && this.#version !== '') this.#version = '';
    else this.#reflection.onError(error);
    if (error instanceof AnswerTooLarge) this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 4));
    await this.#waiting.pause(this.#backoff.next(this.#workedMs, retryAfterMs(error)));
  }

  get #workedMs(): number {
    return this.#workingSince === undefined ? 0 : this.#plane.runtime.monotonic() - this.#workingSince;
  }

  #watchTarget(): string {
    const { kind, namespace = '', labelSelector, fieldSelector } = this.#reflected;
    const { least, most } = WATCH_SECONDS;
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true' });
    if (labelSelector) query.set('labelSelector', labelSelector);
    if (fieldSelector) query.set('fieldSelector', fieldSelector);
    if (this.#version !== '') query.set('resourceVersion', this.#version);
    else {
      query.set('sendInitialEvents', 'true');
      query.set('resourceVersionMatch', 'NotOlderThan');
    }
    query.set('timeoutSeconds', String(Math.floor(least + (most - least) * this.#plane.runtime.random())));
    return `${collectionPath(kind, namespace)}?${query}`;
  }

  #accept(): string {
    if (!this.#reflected.metadataOnly) return 'application/json';
    return `application/json;as=PartialObjectMetadata;g=${this.#plane.vocabulary.groups.meta};v=v1`;
  }

  /** Items of lists need not say what they are; metadata alone says that it is that. */
  #whole(object: AnyObject): AnyObject {
    const { kind } = this.#reflected;
    if (object.kind === kind.kind) return object;
    return { ...object, kind: kind.kind, apiVersion: apiVersionOfKind(kind) };
  }
}
