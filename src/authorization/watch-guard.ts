import { ApiError } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { BodyStream, ByteSink, HttpRequest } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { Attributes, Authorizer } from './attributes.ts';
import { attributesOf } from './stage.ts';

export interface WatchGuardOptions {
  readonly runtime: Runtime;
  readonly authorizer: Authorizer;
  /** Rejects with 401 when the credentials of a request are not good any more. */
  authenticate(request: HttpRequest): Promise<UserInfo>;
}

/** How long a watch may go on after its right is gone. */
const LOOK_MS = 15_000;

/**
 * A watch is allowed when it begins, and may then go on for an hour. Those that are open are looked at now and then: when
 * the token is not good any more, or the right was taken away, the watch comes to its end, and the client learns why when
 * it asks again.
 */
export class WatchGuard {
  readonly #options: WatchGuardOptions;
  readonly #open = new Set<GuardedWatch>();
  readonly #tokens = new SharedTexts();
  #timer: Timer | undefined;

  constructor(options: WatchGuardOptions) {
    this.#options = options;
  }

  /** The same stream, which ends when its right does. */
  guard(context: RequestContext, user: UserInfo, stream: BodyStream): BodyStream {
    const { authorization } = context.request.headers;
    const token = typeof authorization === 'string' ? this.#tokens.take(authorization) : undefined;
    const watch: GuardedWatch = new GuardedWatch(stream, attributesOf(context, user), token, () => {
      if (this.#open.delete(watch) && token !== undefined) this.#tokens.release(token);
    });
    this.#open.add(watch);
    this.#timer ??= this.#lookLater();
    return watch;
  }

  close(): void {
    this.#timer?.cancel();
  }

  #lookLater(): Timer {
    return this.#options.runtime.after(LOOK_MS, () => {
      void this.#look().then(() => {
        this.#timer = this.#open.size > 0 ? this.#lookLater() : undefined;
      });
    });
  }

  async #look(): Promise<void> {
    const rest = restEveryTurn(this.#options.runtime);
    const tokens = new Map<string, boolean>();
    for (const watch of [...this.#open]) {
      if (!(await this.#isAllowed(watch, tokens))) watch.onShutdown();
      await rest();
    }
  }

  async #isAllowed({ attributes, token }: GuardedWatch, tokens: Map<string, boolean>): Promise<boolean> {
    if (token !== undefined) {
      const isGood = tokens.get(token) ?? (await this.#isGood(token));
      tokens.set(token, isGood);
      if (!isGood) return false;
    }
    const asked = this.#options.authorizer.authorize(attributes);
    const { decision, problem } = asked instanceof Promise ? await asked : asked;
    // What could not be found out now is no reason to end what was allowed before.
    return decision === 'allow' || problem !== undefined;
  }

  async #isGood(token: string): Promise<boolean> {
    try {
      await this.#options.authenticate(requestWith(token));
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.reason === 'Unauthorized');
    }
  }
}

class GuardedWatch implements BodyStream {
  readonly attributes: Attributes;
  readonly token: string | undefined;
  readonly #stream: BodyStream;
  readonly #forget: () => void;

  constructor(stream: BodyStream, attributes: Attributes, token: string | undefined, forget: () => void) {
    this.#stream = stream;
    this.attributes = attributes;
    this.token = token;
    this.#forget = forget;
  }

  start(sink: ByteSink): void {
    this.#stream.start(sink);
  }

  onDrain(): void {
    this.#stream.onDrain();
  }

  onShutdown(): void {
    this.#stream.onShutdown();
  }

  onClose(): void {
    this.#forget();
    this.#stream.onClose();
  }
}

/** Thousands of watches show the same few tokens: each is kept once, for as long as one of them is open. */
class SharedTexts {
  readonly #uses = new Map<string, { readonly text: string; count: number }>();

  take(text: string): string {
    const known = this.#uses.get(text) ?? { text, count: 0 };
    known.count++;
    this.#uses.set(known.text, known);
    return known.text;
  }

  release(text: string): void {
    const known = this.#uses.get(text);
    if (known && --known.count === 0) this.#uses.delete(text);
  }
}

/** A request that shows nothing but the token. */
const requestWith = (authorization: string): HttpRequest => ({
  method: 'GET',
  target: '/',
  headers: { authorization },
  rawHeaders: ['authorization', authorization],
  remoteAddress: '',
  hasBody: false,
  readBody: () => Promise.resolve(Buffer.alloc(0)),
  onceGone: () => {},
  streamBody: () => undefined,
  canUpgrade: false,
});
