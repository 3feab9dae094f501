import type { ApiObject } from '../../registry/resource-type.ts';

/** A webhook or a policy that may change objects. */
export interface Reinvocable {
  /** Unlike that of any other. */
  readonly id: string;
  /** Asked again when others changed the object after it. */
  readonly isReinvoked: boolean;
}

/** Which webhooks or policies want to see a request again, because someone changed the object after they did. */
export class Reinvocations {
  /** Those who want to know of later changes. */
  #interested = new Set<string>();
  readonly #wanted = new Set<string>();
  #left: string | undefined;

  /** Takes note of a webhook that has been asked. */
  asked({ id, isReinvoked }: Reinvocable): void {
    if (isReinvoked) this.#interested.add(id);
  }

  /** Everyone interested so far is to be asked again. */
  changed(): void {
    for (const id of this.#interested) this.#wanted.add(id);
    this.#interested = new Set();
  }

  /** What the object is when all have been asked. */
  left(object: ApiObject | undefined): void {
    this.#left = this.#interested.size === 0 ? undefined : JSON.stringify(object);
  }

  /** Whether others changed the object since. */
  compare(object: ApiObject | undefined): void {
    if (this.#left !== undefined && this.#left !== JSON.stringify(object)) this.changed();
  }

  /** A webhook that was not asked in the first round is not asked in the second. */
  wants({ id }: Pick<Reinvocable, 'id'>): boolean {
    return this.#wanted.has(id);
  }
}
