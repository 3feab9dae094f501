import type { LoopKind } from '../syntax/ast.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { Failure, isMap, keysOf, lookUp } from '../values/values.ts';
import type { Frame } from './frame.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What a loop has come to so far. */
export interface Tally {
  /** Takes what a turn gave. What is not undefined ends the loop and is its result. */
  take(value: unknown, frame: Frame): unknown;
  /** When no turn has ended the loop. */
  readonly result: unknown;
}

/** `key` is the slot of the first variable, which is the key of entries that are made. */
export function tallyOf(loop: LoopKind, key: number): Tally {
  switch (loop) {
    case 'all':
      return new Decision(false);
    case 'exists':
      return new Decision(true);
    case 'existsOne':
      return new OnlyOne();
    case 'filter':
    case 'map':
    case 'transformList':
      return new ListOfValues();
    case 'transformMap':
      return new MapOfValues(key);
    case 'transformMapEntry':
      return new MapOfEntries();
  }
}

/** `all` ends at the first false, `exists` at the first true: a failure before that does not count. */
class Decision implements Tally {
  readonly #decisive: boolean;
  #failure: Failure | undefined;

  constructor(decisive: boolean) {
    this.#decisive = decisive;
  }

  take(holds: unknown): unknown {
    if (holds === this.#decisive) return holds;
    if (typeof holds !== 'boolean') this.#failure ??= holds instanceof Failure ? holds : NO_OVERLOAD;
    return undefined;
  }

  get result(): unknown {
    return this.#failure ?? !this.#decisive;
  }
}

class OnlyOne implements Tally {
  #count = 0;

  take(holds: unknown): unknown {
    if (holds === true) this.#count++;
    else if (holds !== false) return holds instanceof Failure ? holds : NO_OVERLOAD;
    return undefined;
  }

  get result(): unknown {
    return this.#count === 1;
  }
}

class ListOfValues implements Tally {
  readonly result: unknown[] = [];

  take(value: unknown): unknown {
    if (value instanceof Failure) return value;
    this.result.push(value);
    return undefined;
  }
}

/** Entries of a map take longer to make than items of a list. */
const UNITS_AN_ENTRY = 15;

class MapOfValues implements Tally {
  readonly #entries = new MapBuilder();
  readonly #key: number;

  constructor(key: number) {
    this.#key = key;
  }

  take(value: unknown, frame: Frame): unknown {
    if (value instanceof Failure) return value;
    frame.spend(UNITS_AN_ENTRY);
    return this.#entries.add(frame.slots[this.#key], value);
  }

  get result(): unknown {
    return this.#entries.entries;
  }
}

class MapOfEntries implements Tally {
  readonly #entries = new MapBuilder();

  take(value: unknown, frame: Frame): unknown {
    if (!isMap(value)) return value instanceof Failure ? value : NO_OVERLOAD;
    for (const key of keysOf(value)) {
      frame.spend(UNITS_AN_ENTRY);
      const problem = this.#entries.add(key, lookUp(value, key));
      if (problem) return problem;
    }
    return undefined;
  }

  get result(): unknown {
    return this.#entries.entries;
  }
}
