/** An answer is a document too. It is brought into form and written in one turn each, so it has fewer values than those. */
const MOST_VALUES = 15_000;
const MOST_BYTES = 8 << 20;

/** How much more one answer may hold. Its lists share it. */
export class AnswerRoom {
  #values = MOST_VALUES;
  #bytes = MOST_BYTES;

  /** Whether there was room for a value with all that is in it; if not, there is none for others either. */
  take(value: unknown): boolean {
    if (this.#values > 0 && this.#bytes > 0) this.#count(value);
    return this.#values > 0 && this.#bytes > 0;
  }

  #count(value: unknown): void {
    this.#values--;
    if (typeof value === 'string') this.#bytes -= value.length;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      this.#bytes -= name.length;
      this.#count(inner);
      if (this.#values <= 0 || this.#bytes <= 0) return;
    }
  }
}

/** A list of an answer: as much as there is room for, and how much there is besides. */
export class BoundedList<T> {
  readonly entries: T[] = [];
  remaining = 0;
  readonly #room: AnswerRoom;

  constructor(room = new AnswerRoom()) {
    this.#room = room;
  }

  add(entry: T): void {
    if (this.#room.take(entry)) this.entries.push(entry);
    else this.remaining++;
  }
}
