import { inSteps } from '../../runtime/pacing.ts';
import { noteLastApplied } from '../last-applied.ts';
import { recordOfChange, recordOfNew, setRecord } from '../tracking.ts';
import type { Write } from '../write.ts';

/**
 * Who owns which field once this is stored: what changed hands between what is stored and what was sent, before admission
 * changes any of it.
 */
export function recordOwners(write: Write): Promise<void> | void {
  const { parts, ref, live, draft, sentRecord, options } = write;
  const steps = live
    ? recordOfChange(parts, ref, live.object, draft, sentRecord, options)
    : recordOfNew(parts, ref.type, draft, options);
  const recorded = inSteps(steps, write.rest);
  return recorded instanceof Promise ? recorded.then((record) => take(write, record)) : take(write, recorded);
}

/** Admission is shown who will own what. */
function take(write: Write, record: Write['record']): void {
  const { parts, ref, draft, options } = write;
  write.record = record;
  setRecord(draft, record);
  if (options.apply) noteLastApplied(ref.type, draft, options.apply, parts.vocabulary);
}
