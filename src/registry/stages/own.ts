import { inSteps } from '../../runtime/pacing.ts';
import { noteLastApplied } from '../last-applied.ts';
import { recordOfChange, recordOfNew, setRecord } from '../tracking.ts';
import type { Write } from '../write.ts';

/**
 * Who owns which field once this is stored: what changed hands between what is stored and what was sent, before admission
 * changes any of it.
 */
export function recordOwners(write: Write): Promise<void> | void {
  const { parts, ref, live, draft, sentRecord, options, conversions } = write;
  if (!live) {
    return takeWhenKnown(write, inSteps(recordOfNew(parts, ref.type, draft, options, write.hasRested), write.rest));
  }
  const at = { type: ref.type, subresource: ref.subresource, conversions };
  const record = () => inSteps(recordOfChange(parts, at, live.object, draft, sentRecord, options), write.rest);
  return takeWhenKnown(write, conversions ? conversions.run(record) : record());
}

type Recorded = Write['record'];

const takeWhenKnown = (write: Write, recorded: Recorded | Promise<Recorded>): Promise<void> | void =>
  recorded instanceof Promise ? recorded.then((record) => take(write, record)) : take(write, recorded);

/** Admission is shown who will own what. */
function take(write: Write, record: Write['record']): void {
  const { parts, ref, draft, options } = write;
  write.record = record;
  setRecord(draft, record);
  if (options.apply) noteLastApplied(ref.type, draft, options.apply, parts.vocabulary);
}
