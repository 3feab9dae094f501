import { FieldSetBuilder } from './field-set.ts';
import { compareOwners, Owner, type RecordedOwner } from './owners.ts';

/** More updaters than this are not told apart: the oldest become one. */
const MOST_UPDATERS = 10;
const OLDEST = 'ancient-changes';

/** Reads a record. What its entries own is read when it is asked for, and may then turn out to be unreadable. */
export const readRecord = (entries: readonly RecordedOwner[] | undefined): Owner[] =>
  (entries ?? []).map((entry) => Owner.recorded(entry));

/** Writes a record: appliers first, then by time. Owners of nothing are left out. */
export function writeRecord(owners: readonly Owner[]): RecordedOwner[] {
  const owning = owners.filter((owner) => owner.entry() !== undefined);
  const entries: RecordedOwner[] = [];
  for (const owner of withoutCrowd(owning).sort(compareOwners)) {
    const entry = owner.entry();
    if (entry) entries.push(entry);
  }
  return entries;
}

/** The owners with as many of the oldest updaters joined as are too many, those of each version among themselves. */
function withoutCrowd(owners: Owner[]): Owner[] {
  if (owners.length <= MOST_UPDATERS) return owners;
  const updaters = owners.filter(({ operation }) => operation === 'Update').sort(compareAges);
  const left = new Set(owners);
  let count = updaters.length;
  const oldest = new Map<string, Owner[]>();
  for (const updater of updaters) {
    if (count <= MOST_UPDATERS) break;
    const same = oldest.get(updater.apiVersion);
    if (same) count--;
    if (same) same.push(updater);
    else oldest.set(updater.apiVersion, [updater]);
  }
  for (const joined of oldest.values()) {
    if (joined.length === 1) continue;
    for (const owner of joined) left.delete(owner);
    left.add(join(joined));
  }
  return [...left];
}

/** Those that were joined before are older than any other, whenever the last of them was. */
function compareAges(a: Owner, b: Owner): number {
  if (a.manager === OLDEST || b.manager === OLDEST) return Number(b.manager === OLDEST) - Number(a.manager === OLDEST);
  return compareOwners(a, b);
}

/** One owner of all that some of one version own, since the last of them. There may be very many. */
function join(owners: readonly Owner[]): Owner {
  const { apiVersion = '', time = '' } = owners.at(-1) ?? {};
  const writer = { manager: OLDEST, operation: 'Update', apiVersion, subresource: '' } as const;
  const all = new FieldSetBuilder();
  for (const { set } of owners) all.addAll(set);
  return Owner.of(writer, all.build(), time);
}
