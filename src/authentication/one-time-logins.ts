import { timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../api/user.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Enough that nobody finds one by trying. */
const BYTES = 32;

/** How long a code waits to be used, */
const CODE_MS = 10 * 60_000;
/** and how long the token that it is exchanged for is good. */
const TOKEN_MS = 8 * 3_600_000;

/** Older ones give way. */
const MOST_CODES = 16;
const MOST_TOKENS = 16;

export interface LoginToken {
  readonly token: string;
  /** When it ends, in milliseconds of the clock. */
  readonly expires: number;
}

interface Secret {
  readonly bytes: Buffer;
  readonly expires: number;
}

/** Codes that one user can log in with once, each for a token of its own. All are kept in memory alone, and few. */
export class OneTimeLogins {
  /** Who is let in. */
  readonly user: UserInfo;
  readonly #runtime: Runtime;
  #codes: readonly Secret[] = [];
  #tokens: readonly Secret[] = [];

  constructor(runtime: Runtime, user: UserInfo) {
    this.#runtime = runtime;
    this.user = user;
  }

  /** A new code, good for some minutes. */
  code(): string {
    const { text, secret } = this.#make(CODE_MS);
    this.#codes = [...this.#codes, secret].slice(-MOST_CODES);
    return text;
  }

  /** Undefined: there is no such code, or it was used, or its time is over. */
  exchange(code: string): LoginToken | undefined {
    const used = this.#among(this.#codes, code);
    if (!used) return undefined;
    this.#codes = this.#codes.filter((secret) => secret !== used);
    const { text, secret } = this.#make(TOKEN_MS);
    this.#tokens = [...this.#tokens, secret].slice(-MOST_TOKENS);
    return { token: text, expires: secret.expires };
  }

  /** Whose a token is. */
  find(token: string): UserInfo | undefined {
    return this.#tokens.length > 0 && this.#among(this.#tokens, token) ? this.user : undefined;
  }

  #among(secrets: readonly Secret[], text: string): Secret | undefined {
    const presented = Buffer.from(text);
    const now = this.#runtime.now();
    return secrets.find(
      ({ bytes, expires }) => expires > now && bytes.length === presented.length && timingSafeEqual(bytes, presented),
    );
  }

  #make(lifetime: number): { readonly text: string; readonly secret: Secret } {
    const text = this.#runtime.bytes(BYTES).toString('base64url');
    return { text, secret: { bytes: Buffer.from(text), expires: this.#runtime.now() + lifetime } };
  }
}
