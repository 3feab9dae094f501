import { noteLastApplied } from '../last-applied.ts';
import { recordOfChange, recordOfNew, setRecord } from '../tracking.ts';
import type { Write } from '../write.ts';

/**
 * Who owns which field once this is stored: what changed hands between what is stored and what was sent, before admission
 * changes any of it.
 */
export function recordOwners(write: Write): void {
  const { parts, ref, live, draft, sentRecord, options } = write;
  write.record = live
    ? recordOfChange(parts, ref, live.object, draft, sentRecord, options)
    : recordOfNew(parts, ref.type, draft, options);
  // Admission is shown who will own what.
  setRecord(draft, write.record);
  if (options.apply) noteLastApplied(ref.type, draft, options.apply, parts.vocabulary);
}
