import { Problems } from '../../schema/problems.ts';
import type { Write } from '../write.ts';
import { refuse } from './validate.ts';

/**
 * Keeps for an object what only one may hold, and fills in what it lacks of it. The reservation ends with the write. It
 * comes after ownership is recorded: what the server gives belongs to no writer.
 */
export function reserve(write: Write): void {
  const { parts, ref, type, draft, live, options } = write;
  if (!type.reserve || (live && ref.subresource !== '')) return;
  const problems = new Problems({ hidesValues: type.sensitive });
  write.guard = parts.log.isShared ? { name: type.collection, seen: parts.log.revision } : undefined;
  const { dryRun = false } = options;
  write.reservation = type.reserve(draft, live?.object, problems, { ...parts, dryRun });
  refuse(type, draft, problems);
}
