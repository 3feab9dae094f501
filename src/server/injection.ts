import type { UserInfo } from '../api/user.ts';
import { type Identity, userOf } from '../authentication/injected-identity.ts';
import type { Handle } from '../http/handler.ts';
import { collect, type Injected, type InjectedStream, type InjectOptions, injectStream } from '../http/inject.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A request of the program around the server. */
export interface InjectRequest extends Omit<InjectOptions, 'identity'> {
  /**
   * Who asks: the administrator, or anyone. Every stage takes the request for theirs, whatever credentials are in its
   * headers. Without it, the credentials count; without those it is anonymous.
   */
  readonly as?: 'admin' | Identity;
}

export interface InjectionParts {
  readonly handle: Handle;
  readonly admin: UserInfo;
  readonly runtime: Runtime;
}

/** Requests without a socket, for as long as the server is open. */
export class Injections {
  readonly #parts: InjectionParts;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #streams = new Set<InjectedStream>();
  #isRefusing = false;
  #isClosing = false;

  constructor(parts: InjectionParts) {
    this.#parts = parts;
  }

  async inject({ as, ...request }: InjectRequest): Promise<Injected> {
    if (this.#isRefusing) throw new Error('the server is closed: it takes no more requests');
    if (typeof request.target !== 'string') throw new TypeError('a request must have a target, such as /version');
    const answer = this.#answer({ ...request, identity: this.#identityOf(as) });
    this.#underWay.add(answer);
    return answer.finally(() => this.#underWay.delete(answer));
  }

  /** As `inject`, with the body as it is produced: for watches. Leaving the loop over it is the client going away. */
  async injectStream({ as, ...request }: InjectRequest): Promise<InjectedStream> {
    if (this.#isRefusing) throw new Error('the server is closed: it takes no more requests');
    const stream = await injectStream(this.#parts.handle, { ...request, identity: this.#identityOf(as) });
    this.#streams.add(stream);
    if (this.#isClosing) stream.shutdown();
    return { ...stream, body: this.#untilRead(stream) };
  }

  /** From now on requests are refused; those that are under way go on. */
  refuse(): void {
    this.#isRefusing = true;
  }

  /** Ends streams, and waits for everything else for so long. */
  async close(graceMs: number): Promise<void> {
    this.refuse();
    this.#isClosing = true;
    for (const stream of this.#streams) stream.shutdown();
    await new Promise<void>((resolve) => {
      const timer = this.#parts.runtime.after(graceMs, resolve);
      void Promise.allSettled(this.#underWay).then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  async #answer(request: InjectOptions): Promise<Injected> {
    const stream = await injectStream(this.#parts.handle, request);
    this.#streams.add(stream);
    if (this.#isClosing) stream.shutdown();
    return collect(stream).finally(() => this.#streams.delete(stream));
  }

  /** A stream is the server's to end until somebody has read it or gone. */
  #untilRead(stream: InjectedStream): AsyncIterable<Buffer> {
    const reader = stream.body[Symbol.asyncIterator]();
    const forget = (): void => void this.#streams.delete(stream);
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const result = await reader.next();
          if (result.done) forget();
          return result;
        },
        async return() {
          forget();
          await reader.return?.();
          return { done: true, value: undefined };
        },
      }),
    };
  }

  #identityOf(as: InjectRequest['as']): UserInfo | undefined {
    if (as === undefined) return undefined;
    if (as === 'admin') return this.#parts.admin;
    if (typeof as !== 'object' || as === null) throw new TypeError("`as` must be 'admin' or an identity");
    return userOf(as);
  }
}
