import { timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../api/user.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Enough that nobody finds it by trying. */
const BYTES = 32;

/** A token of one user that lives and dies with the process: it is written nowhere. */
export class ProcessToken {
  readonly text: string;
  readonly #bytes: Buffer;
  readonly #user: UserInfo;

  constructor(runtime: Runtime, user: UserInfo) {
    this.text = runtime.bytes(BYTES).toString('base64url');
    this.#bytes = Buffer.from(this.text);
    this.#user = user;
  }

  find(token: string): UserInfo | undefined {
    if (token.length !== this.text.length) return undefined;
    const presented = Buffer.from(token);
    return presented.length === this.#bytes.length && timingSafeEqual(presented, this.#bytes) ? this.#user : undefined;
  }
}
