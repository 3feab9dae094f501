import type { ApiError } from '../../api/errors.ts';
import { isRefusal } from '../plane-client.ts';

/** A field that somebody else owns and wants to be otherwise. */
export interface ApplyConflict {
  /** The owner. */
  readonly manager: string;
  /** As field paths are written: `.spec.replicas`, `.spec.containers[name="web"].image`. */
  readonly field: string;
  /** The version of the kind that an owner wrote in who did not apply; '' for one who applies. */
  readonly apiVersion: string;
  /** The subresource that it was written through; '' for the object itself. */
  readonly subresource: string;
  /** The plane's own words. */
  readonly message: string;
}

/** What became of an applied document: the object, or the conflicts for which nothing was changed. */
export type ApplyOutcome<T> =
  | { readonly applied: T; readonly conflicts?: undefined }
  | { readonly applied?: undefined; readonly conflicts: readonly ApplyConflict[] };

const CONFLICT = 'FieldManagerConflict';

/** The conflicts that a refusal tells of. Whatever else was refused is thrown. */
export function conflictsIn(error: unknown): readonly ApplyConflict[] {
  if (!isRefusal(error, 'Conflict') || !tellsOwners(error)) throw error;
  return error.causes
    .filter(({ reason }) => reason === CONFLICT)
    .map(({ message, field = '' }) => conflictIn(message, field));
}

const tellsOwners = ({ causes }: ApiError): boolean => causes.some(({ reason }) => reason === CONFLICT);

/** `conflict with "one" with subresource "status" using v1 at 2022-08-23T00:00:00Z`; only the name is always there. */
const OWNER = /^conflict with "(.*?)"(?: with subresource "(.*?)")?(?: using (\S+))?/;

function conflictIn(message: string, field: string): ApplyConflict {
  const [, manager = '', subresource = '', apiVersion = ''] = OWNER.exec(message) ?? [];
  return { manager, field, apiVersion, subresource, message };
}
