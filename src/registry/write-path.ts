import { admitChanges, admitResult } from './stages/admit.ts';
import { convertToStored } from './stages/convert.ts';
import { admitDeletion, checkPreconditions, markForDeletion } from './stages/delete.ts';
import { recordOwners } from './stages/own.ts';
import { prepare } from './stages/prepare.ts';
import { readDraft } from './stages/read.ts';
import { reserve } from './stages/reserve.ts';
import { countGeneration, sealDraft } from './stages/seal.ts';
import { remove, store } from './stages/store.ts';
import { validate } from './stages/validate.ts';
import type { Deleted, Deletion, Write, Written } from './write.ts';

/** A stage adds to the write or throws an ApiError. What it waits for it gives back. */
type Stage<W> = (write: W) => Promise<void> | void;

/** How an object is made or changed, whatever the verb: PUT, POST, every patch, apply, and control loops. */
const CHANGE: readonly Stage<Write>[] = [
  readDraft, // what was sent becomes an object of the kind: typed, pruned, with defaults, of the stored version
  recordOwners, // who owns which field by now
  admitChanges, // mutating admission
  prepare, // what the server and the kind itself set, whatever was sent
  reserve, // what only one object may hold
  sealDraft, // canonical, and from here on a value: what says the same as before is the very same
  countGeneration, // of desired state
  validate, // every problem at once
  admitResult, // validating admission has the last word
  convertToStored, // of kinds that keep several versions: into the one that is stored from now on
];

const DELETION: readonly Stage<Deletion>[] = [
  checkPreconditions, // the object that is meant
  admitDeletion, // admission sees the object that is to go
  markForDeletion, // finalizers and grace
  sealDraft,
  convertToStored,
];

/** Makes or changes an object. Undefined: another writer was faster, and it may be tried again. */
export const changeObject = (write: Write): Promise<Written | undefined> => run(write, CHANGE, store);

/** Takes an object away, or marks it as going. Undefined: another writer was faster. */
export const deleteObject = (write: Deletion): Promise<Deleted | undefined> => run(write, DELETION, remove);

/** One stage after the other. Large objects let others have a turn in between. */
async function run<W extends Write, R>(
  write: W,
  stages: readonly Stage<W>[],
  last: (write: W) => Promise<R | undefined>,
): Promise<R | undefined> {
  try {
    for (const stage of stages) {
      const waiting = stage(write);
      if (waiting) await waiting;
      const pause = write.rest();
      if (pause) await pause;
    }
    const outcome = await last(write);
    write.request?.over?.(outcome ? undefined : new Error('another writer was faster'));
    return outcome;
  } catch (error) {
    write.request?.over?.(error);
    throw error;
  } finally {
    write.reservation?.end();
  }
}
