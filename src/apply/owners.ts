import type { Steps } from '../runtime/pacing.ts';
import type { FieldSet } from './field-set.ts';
import {
  decodeFields,
  decodeFieldsInSteps,
  encodeFields,
  encodeFieldsInSteps,
  type FieldsV1,
  isSame,
  isWithin,
  meets,
} from './fields-v1.ts';

import type { Sharing } from './sharing.ts';

/** An entry of metadata.managedFields. */
export interface RecordedOwner {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldsV1;
  readonly subresource?: string;
}

/** Who wrote something, and how. Two writes with the same four words are by the same owner. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** The version of the kind in which the owned places are told. */
  readonly apiVersion: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

export const sameWriter = (a: Writer, b: Writer): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.apiVersion === b.apiVersion &&
  a.subresource === b.subresource;

/** What can be compared with a record. */
export interface Tellable {
  isToldBy(fields: FieldsV1): boolean;
}

/**
 * A writer with what it owns. Most writes concern few of an object's owners, so a recorded set is only read when it is
 * asked for, and written as it was when nothing became of it.
 */
export class Owner implements Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** When it last changed something, or its set did; '' when that is not known. */
  readonly time: string;
  readonly #recorded: RecordedOwner | undefined;
  #known: FieldSet | undefined;
  #written: RecordedOwner | undefined;

  private constructor(writer: Writer, time: string, known: FieldSet | undefined, recorded: RecordedOwner | undefined) {
    this.manager = writer.manager;
    this.operation = writer.operation;
    this.apiVersion = writer.apiVersion;
    this.subresource = writer.subresource;
    this.time = time;
    this.#known = known;
    this.#recorded = recorded;
  }

  static of(writer: Writer, set: FieldSet, time: string): Owner {
    return new Owner(writer, time, set, undefined);
  }

  static recorded(entry: RecordedOwner): Owner {
    const { manager = '', operation, apiVersion = '', subresource = '', time = '' } = entry;
    const writer = {
      manager,
      operation: operation === 'Apply' ? operation : 'Update',
      apiVersion,
      subresource,
    } as const;
    return new Owner(writer, time, undefined, entry);
  }

  /** Throws MalformedFields when what is recorded cannot be read. */
  get set(): FieldSet {
    this.#known ??= decodeFields(this.#recorded?.fieldsV1 ?? {});
    return this.#known;
  }

  /** Reads its set in steps, so that asking for it takes no time. Throws MalformedFields. */
  *read(): Steps<this> {
    this.#known ??= yield* decodeFieldsInSteps(this.#recorded?.fieldsV1 ?? {});
    return this;
  }

  /** The same owner of what its set is by now, should the declaration have changed since it was recorded. */
  fitted(sharing: Sharing): Owner {
    if (!this.#recorded) return this;
    const set = sharing.fitted(this.set);
    return set === this.set ? this : Owner.of(this, set, this.time);
  }

  /** Whether any of these places may be its own; `fitted` tells for certain. */
  mayOwnAnyOf(places: FieldSet): boolean {
    if (places.isEmpty) return false;
    return this.#recorded ? meets(this.#recorded.fieldsV1 ?? {}, places) : !this.set.intersection(places).isEmpty;
  }

  /** Whether it owns none but these places. */
  ownsOnly(places: FieldSet): boolean {
    return this.#known ? this.#known.difference(places).isEmpty : isWithin(this.#recorded?.fieldsV1 ?? {}, places);
  }

  /** Whether what is recorded of it is plainly what a document says; `ownsExactly` tells for certain. */
  ownsWhatIsIn(document: Tellable): boolean {
    return this.#recorded !== undefined && document.isToldBy(this.#recorded.fieldsV1 ?? {});
  }

  /** Whether it owns these places and no others. */
  ownsExactly(places: FieldSet): boolean {
    return this.#known ? this.#known.equals(places) : isSame(this.#recorded?.fieldsV1 ?? {}, places);
  }

  /** The same owner of the same places, since another time. */
  since(time: string): Owner {
    if (time === this.time) return this;
    const recorded = this.#recorded;
    return new Owner(this, time, this.#known, recorded && entryOf(this, time, recorded.fieldsV1 ?? {}));
  }

  /** The same owner without these places, since the same time. */
  without(places: FieldSet): Owner {
    const set = this.set.difference(places);
    return set === this.set ? this : Owner.of(this, set, this.time);
  }

  /** Writes its entry in steps, so that asking for it takes no time. */
  *write(): Steps<void> {
    if (this.#recorded || this.#written || this.set.isEmpty) return;
    this.#written = entryOf(this, this.time, yield* encodeFieldsInSteps(this.set));
  }

  /** The owner as an entry; undefined when it owns nothing. */
  entry(): RecordedOwner | undefined {
    if (this.#recorded) return isEmpty(this.#recorded.fieldsV1) ? undefined : this.#recorded;
    if (this.set.isEmpty) return undefined;
    this.#written ??= entryOf(this, this.time, encodeFields(this.set));
    return this.#written;
  }
}

/** What is recorded of a writer that owns these places since a time, '' when that is not known. */
export const entryOf = (
  { manager, operation, apiVersion, subresource }: Writer,
  time: string,
  fieldsV1: FieldsV1,
): RecordedOwner => ({
  manager,
  operation,
  apiVersion,
  ...(time === '' ? {} : { time }),
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(subresource === '' ? {} : { subresource }),
});

const isEmpty = (fields: FieldsV1 | undefined): boolean => !fields || Object.keys(fields).length === 0;

/** The order in which entries are recorded: appliers first, then by time. */
export function compareOwners(a: Owner, b: Owner): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time, b.time) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Whether a writer sends the one empty entry that asks for the record to be cleared. */
export function asksForReset(entries: readonly RecordedOwner[] | undefined): boolean {
  const [only] = entries ?? [];
  return (
    entries?.length === 1 &&
    only !== undefined &&
    Object.values(only).every((value) => value === undefined || value === '')
  );
}
