import { ApiError } from '../api/errors.ts';
import { AnswerTooLarge } from '../outbound/failures.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import { eventsIn, type SentEvent } from './event-stream.ts';
import type { OpenStream } from './http-transport.ts';
import { type AnyObject, type PlaneClient, refusalIn } from './plane-client.ts';
import { apiVersionOfKind, collectionPath, type ServedKind } from './served-kind.ts';

const FIRST_PAGE_SIZE = 500;
/** Asked for, so that a plane that has forgotten a watch does not keep it, and watches do not end all at once. */
const WATCH_SECONDS = { least: 300, most: 600 };
/** Planes send a bookmark every minute: when not even those come, the connection is dead. */
const IDLE_MS = 150_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;
/** A watch that ends earlier than this is as good as one that failed. */
const SHORT_WATCH_MS = 1_000;

/** What a reflector needs of a plane. */
export interface ReflectedPlane {
  readonly runtime: Runtime;
  readonly client: PlaneClient;
  readonly openStream: OpenStream;
  readonly metaGroup: string;
  /** It is tried again; this is for the log. */
  onError(resource: string, error: unknown): void;
}

/** Told what there is of a kind, in order. */
export interface Reflection {
  /** A list begins: what is set until it is whole is all there is. */
  onListing(): void;
  onListed(): void;
  /** An object that is there, or a new version of one. */
  onSet(object: AnyObject): void;
  /** The last version of an object that is gone. */
  onRemove(object: AnyObject): void;
}

export interface Reflected {
  readonly kind: ServedKind;
  /** '' for all. */
  readonly namespace?: string;
  /** Names, labels, owners and the rest of the metadata alone. */
  readonly metadataOnly?: boolean;
}

/**
 * Follows a kind over HTTP until it is closed: a list in pages, then a watch from there on. A watch that ends or breaks is
 * resumed after the last version that came; when the plane has forgotten what followed that one, everything is listed
 * again.
 */
export class Reflector {
  readonly #plane: ReflectedPlane;
  readonly #reflected: Reflected;
  readonly #reflection: Reflection;
  /** Up to which version everything was told; '' when all has to be listed. */
  #version = '';
  /** What is being listed has to be listed anew. */
  #isStale = false;
  #pageSize = FIRST_PAGE_SIZE;
  #failures = 0;
  #isClosed = false;
  /** Ends what is waited for. */
  #interrupt: (() => void) | undefined;

  constructor(plane: ReflectedPlane, reflected: Reflected, reflection: Reflection) {
    this.#plane = plane;
    this.#reflected = reflected;
    this.#reflection = reflection;
    void this.#run();
  }

  /** Lists everything again, also what is being listed. */
  relist(): void {
    this.#isStale = true;
    this.#version = '';
    this.#interrupt?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#interrupt?.();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#version === '') await this.#list();
        else await this.#watch();
      } catch (error) {
        if (this.#isClosed) return;
        await this.#recover(error);
      }
    }
  }

  async #list(): Promise<void> {
    const { client } = this.#plane;
    const { kind, namespace = '', metadataOnly = false } = this.#reflected;
    this.#isStale = false;
    this.#reflection.onListing();
    let listed = { next: '', resourceVersion: '' };
    do {
      const page = await client.list(kind, namespace, { limit: this.#pageSize, next: listed.next, metadataOnly });
      if (this.#isClosed || this.#isStale) return;
      for (const object of page.items) this.#reflection.onSet(this.#whole(object));
      listed = page;
    } while (listed.next !== '');
    this.#version = listed.resourceVersion;
    this.#reflection.onListed();
  }

  /** Resolves when the watch has ended as watches do. */
  async #watch(): Promise<void> {
    const { runtime, openStream } = this.#plane;
    const began = runtime.monotonic();
    const stream = await openStream(this.#watchTarget(), this.#accept());
    if ((stream.statusCode ?? 0) >= 400) throw await refusalOf(stream);
    this.#interrupt = () => stream.destroy();
    // It may have been closed while the watch was opened.
    if (this.#isClosed || this.#version === '') stream.destroy();
    try {
      for await (const event of eventsIn(stream, runtime, IDLE_MS)) {
        this.#take(event);
        this.#failures = 0;
      }
    } catch (error) {
      // Broken off by ourselves.
      if (!this.#isClosed && this.#version !== '') throw error;
    } finally {
      this.#interrupt = undefined;
    }
    if (!this.#isClosed && this.#version !== '' && runtime.monotonic() - began < SHORT_WATCH_MS) await this.#pause(0);
  }

  #take({ type, object }: SentEvent): void {
    if (type === 'ERROR') throw refusalIn((object as { code?: number }).code ?? 500, object);
    const whole = this.#whole(object as AnyObject);
    if (this.#isClosed || this.#version === '') return;
    if (type === 'DELETED') this.#reflection.onRemove(whole);
    else if (type === 'ADDED' || type === 'MODIFIED') this.#reflection.onSet(whole);
    this.#version = whole.metadata.resourceVersion ?? this.#version;
  }

  async #recover(error: unknown): Promise<void> {
    const { code } = error instanceof ApiError ? error : { code: 0 };
    // That a watch cannot be resumed is nothing to tell of: everything is listed instead.
    const isForgotten = code === 410 && this.#version !== '';
    if (isForgotten) this.#version = '';
    else this.#plane.onError(this.#reflected.kind.plural, error);
    if (error instanceof AnswerTooLarge) this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 4));
    const seconds = error instanceof ApiError ? (error.details.retryAfterSeconds ?? 0) : 0;
    await this.#pause(seconds * 1000);
  }

  /** Longer each time, and never the same for two. */
  #pause(leastMs: number): Promise<void> {
    const { runtime } = this.#plane;
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 16));
    const milliseconds = Math.max(leastMs, longest * (0.5 + runtime.random() / 2));
    return new Promise((resolve) => {
      const timer: Timer = runtime.after(milliseconds, resolve);
      this.#interrupt = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  #watchTarget(): string {
    const { least, most } = WATCH_SECONDS;
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.#version,
      timeoutSeconds: String(Math.floor(least + (most - least) * this.#plane.runtime.random())),
    });
    const { kind, namespace = '' } = this.#reflected;
    return `${collectionPath(kind, namespace)}?${query}`;
  }

  #accept(): string {
    if (!this.#reflected.metadataOnly) return 'application/json';
    return `application/json;as=PartialObjectMetadata;g=${this.#plane.metaGroup};v=v1`;
  }

  /** Items of lists need not say what they are; metadata alone says that it is that. */
  #whole(object: AnyObject): AnyObject {
    const { kind } = this.#reflected;
    if (object.kind === kind.kind) return object;
    return { ...object, kind: kind.kind, apiVersion: apiVersionOfKind(kind) };
  }
}

async function refusalOf(
  stream: AsyncIterable<Buffer> & { readonly statusCode?: number | undefined },
): Promise<ApiError> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const status = stream.statusCode ?? 0;
  try {
    return refusalIn(status, JSON.parse(text));
  } catch {
    return refusalIn(status, { message: text.slice(0, 200) });
  }
}
