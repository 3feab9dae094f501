import { FieldSet } from './field-set.ts';
import { decodeFields, encodeFields, type FieldsV1 } from './fields-v1.ts';

/** An entry of metadata.managedFields. */
export interface RecordedOwner {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  subresource?: string;
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

/** A writer with what it owns. */
export interface Owner extends Writer {
  /** When its set last changed. */
  readonly time: string;
  readonly set: FieldSet;
}

/** More updaters than this are not told apart: the oldest become one. */
const MOST_UPDATERS = 10;
const OLDEST = 'ancient-changes';

export const sameWriter = (a: Writer, b: Writer): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.apiVersion === b.apiVersion &&
  a.subresource === b.subresource;

/** Reads a record. Throws MalformedFields. */
export const decodeOwners = (entries: readonly RecordedOwner[]): Owner[] =>
  entries.map(({ manager = '', operation, apiVersion = '', subresource = '', time, fieldsV1 }) => ({
    manager,
    operation: operation === 'Apply' ? 'Apply' : 'Update',
    apiVersion,
    subresource,
    time: time ?? '',
    set: fieldsV1 ? decodeFields(fieldsV1) : FieldSet.EMPTY,
  }));

/** Writes a record: owners of nothing are left out, appliers come first, then by time. */
export function encodeOwners(owners: readonly Owner[]): RecordedOwner[] {
  return capped(owners.filter(({ set }) => !set.isEmpty))
    .sort(compareOwners)
    .map(({ manager, operation, apiVersion, subresource, time, set }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === '' ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encodeFields(set),
      ...(subresource === '' ? {} : { subresource }),
    }));
}

function compareOwners(a: Owner, b: Owner): number {
  const order = (owner: Owner): string => `${owner.operation} ${owner.time} ${owner.manager} ${owner.subresource}`;
  return order(a) < order(b) ? -1 : 1;
}

function capped(owners: readonly Owner[]): Owner[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  if (updaters.length <= MOST_UPDATERS) return [...owners];
  const byTime = [...updaters].sort(compareOwners);
  const old = byTime.slice(0, updaters.length - MOST_UPDATERS + 1);
  const kept = owners.filter((owner) => !old.includes(owner));
  const versions = new Map<string, Owner>();
  for (const owner of old) {
    const merged = versions.get(owner.apiVersion);
    versions.set(owner.apiVersion, {
      ...owner,
      manager: OLDEST,
      subresource: '',
      set: merged ? merged.set.union(owner.set) : owner.set,
    });
  }
  return [...kept, ...versions.values()];
}

/** Whether a writer sends the one empty entry that asks for the record to be cleared. */
export function asksForReset(entries: readonly RecordedOwner[] | undefined): boolean {
  const [only] = entries ?? [];
  return (
    entries?.length === 1 &&
    only !== undefined &&
    Object.values(only).every((value) => value === undefined || value === '')
  );
}
