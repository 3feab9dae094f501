import type { UserInfo } from '../../api/user.ts';
import { valueBytes } from '../../bounds/bounded-cache.ts';
import type { KeptDenial } from './kept-denial.ts';

/** The denials of one caller, the oldest first, and what they take. */
export class CallerDenials {
  readonly name: string;
  readonly denials = new Map<string, KeptDenial>();
  /** Requests with one token have the very same user, which takes its room once. */
  readonly #users = new Map<UserInfo, { readonly bytes: number; uses: number }>();
  #bytes = 0;

  constructor(name: string) {
    this.name = name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What all of them would take with one more. */
  bytesWith({ bytes, refusal }: KeptDenial): number {
    const { user } = refusal.attributes;
    return this.#bytes + bytes + (this.#users.has(user) ? 0 : valueBytes(user));
  }

  /** There is none of that key. */
  add(denial: KeptDenial): void {
    const { user } = denial.refusal.attributes;
    const known = this.#users.get(user);
    const counted = known ?? { bytes: valueBytes(user), uses: 0 };
    counted.uses++;
    this.#users.set(user, counted);
    this.denials.set(denial.key, denial);
    this.#bytes += denial.bytes + (known ? 0 : counted.bytes);
  }

  delete(denial: KeptDenial): void {
    const { user } = denial.refusal.attributes;
    const counted = this.#users.get(user);
    if (!counted || !this.denials.delete(denial.key)) return;
    this.#bytes -= denial.bytes;
    if (--counted.uses > 0) return;
    this.#users.delete(user);
    this.#bytes -= counted.bytes;
  }
}
