import { internalBecause, timeout, unavailable } from '../../api/errors.ts';
import { OutcomeUnknown, StorageFull, StorageUnavailable, type Write as StoreWrite } from '../../storage/backend.ts';
import type { Version } from '../../storage/log/version.ts';
import { facetsIn } from '../facets.ts';
import type { ApiObject } from '../resource-type.ts';
import type { Write } from '../write.ts';

/** Someone on another server took what this write wanted to take, or might have: it is to be made anew. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

/**
 * Commits; undefined when another writer of the object was faster. An unavailable store is the client's 503; a write that
 * may or may not have been made is a 504. What was handed to the store is waited for, deadline or not: only then is it
 * known what may be let go of. `object` is what is stored.
 */
export async function commit(
  write: Write,
  change: Pick<StoreWrite, 'key' | 'expected' | 'value' | 'delete'>,
  object: ApiObject,
): Promise<Version | undefined> {
  const { parts, type, converting, guard, options } = write;
  const { user, background = false, deadline, premise } = options;
  deadline?.beginChange();
  premise?.leaveToStore();
  const facets = facetsIn(converting?.storage ?? type, object);
  facets.written = object;
  try {
    const { key, expected, value, delete: removes = false } = change;
    // In one literal, always of the same fields: what is spread has a hidden class of its own, each time anew.
    const stored = { key, expected, value, delete: removes, facets, guard, caller: user.name, background };
    const outcome = await parts.log.commit(stored);
    if (outcome.conflict && outcome.outrun) throw new LostRace('another server was faster');
    if (outcome.conflict) return undefined;
    parts.commits?.committed(outcome.version.revision, write);
    return outcome.version;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw timeout(`it is not known whether the change was made: ${error.message}`);
    if (error instanceof StorageFull) {
      throw internalBecause(`${error.message}; nothing that makes it grow is taken until objects are deleted`);
    }
    if (error instanceof StorageUnavailable) throw unavailable(`the store is not available: ${error.message}`);
    throw error;
  } finally {
    facets.written = undefined;
  }
}
