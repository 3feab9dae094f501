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
  return withoutCrowd(owning)
    .sort(compareOwners)
    .flatMap((owner) => owner.entry() ?? []);
}

/** The owners with as many of the oldest updaters joined as are too many, those of each version among themselves. */
function withoutCrowd(owners: readonly Owner[]): Owner[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update').sort(compareAges);
  const left = new Set(owners);
  let count = updaters.length;
  const oldest = new Map<string, Owner>();
  for (const updater of updaters) {
    if (count <= MOST_UPDATERS) break;
    const { apiVersion } = updater;
    const first = oldest.get(apiVersion);
    const joined = first ? join(first, updater) : updater;
    oldest.set(apiVersion, joined);
    if (!first) continue;
    left.delete(first);
    left.delete(updater);
    left.add(joined);
    count--;
  }
  return [...left];
}

/** Those that were joined before are older than any other, whenever the last of them was. */
function compareAges(a: Owner, b: Owner): number {
  if (a.manager === OLDEST || b.manager === OLDEST) return Number(b.manager === OLDEST) - Number(a.manager === OLDEST);
  return compareOwners(a, b);
}

function join(older: Owner, { apiVersion, set, time }: Owner): Owner {
  const writer = { manager: OLDEST, operation: 'Update', apiVersion, subresource: '' } as const;
  return Owner.of(writer, older.set.union(set), time);
}
