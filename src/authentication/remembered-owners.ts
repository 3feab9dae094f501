import { hash } from 'node:crypto';
import type { Runtime } from '../runtime.ts';
import type { TokenOwner } from './bearer-tokens.ts';

const MOST_REMEMBERED = 4096;

interface Entry {
  readonly owner: TokenOwner | undefined;
  /** On the monotonic clock. */
  readonly until: number;
}

/** Finds out; rejects when that cannot be done now. */
type Asking = () => Promise<TokenOwner | undefined>;

/**
 * Remembers for a while whose a token is, and that it is nobody's. Tokens themselves are not kept. Requests that want to
 * know the same at the same time ask once; a failure is not remembered.
 */
export class RememberedOwners {
  readonly #ttlMs: number;
  readonly #runtime: Runtime;
  /** Apart, so that made-up tokens cannot crowd out those of users. */
  readonly #known = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #asked = new Map<string, Promise<TokenOwner | undefined>>();

  constructor(ttlMs: number, runtime: Runtime) {
    this.#ttlMs = ttlMs;
    this.#runtime = runtime;
  }

  ownerOf(
    token: string,
    audiences: readonly string[],
    ask: Asking,
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    const key = hash('sha256', JSON.stringify([token, ...audiences]), 'base64');
    const entry = this.#known.get(key) ?? this.#unknown.get(key);
    if (entry && this.#runtime.monotonic() < entry.until) return entry.owner;
    const asked = this.#asked.get(key) ?? this.#ask(key, ask);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, ask: Asking): Promise<TokenOwner | undefined> {
    try {
      const owner = await ask();
      this.#remember(key, owner);
      return owner;
    } finally {
      this.#asked.delete(key);
    }
  }

  #remember(key: string, owner: TokenOwner | undefined): void {
    this.#known.delete(key);
    this.#unknown.delete(key);
    const entries = owner ? this.#known : this.#unknown;
    if (entries.size >= MOST_REMEMBERED) {
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.set(key, { owner, until: this.#runtime.monotonic() + this.#ttlMs });
  }
}
