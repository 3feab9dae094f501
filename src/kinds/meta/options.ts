import { bool, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const Preconditions = struct('meta.v1.Preconditions', {
  uid: f(1, string().optional()),
  resourceVersion: f(2, string().optional()),
});
export type Preconditions = Infer<typeof Preconditions>;

const dryRun = (number: number) => f(number, list(string()), 'All: do everything but keep nothing.');
const FIELD_MANAGER = 'Who the written fields belong to from now on.';
const fieldValidation = (number: number) =>
  f(number, string(), 'What to do about unknown fields: Ignore, Warn or Strict.');

export const CreateOptions = kind('meta.v1.CreateOptions', {
  dryRun: dryRun(1),
  fieldManager: f(3, string(), FIELD_MANAGER),
  fieldValidation: fieldValidation(4),
});
export type CreateOptions = Infer<typeof CreateOptions>;

export const DeleteOptions = kind(
  'meta.v1.DeleteOptions',
  {
    gracePeriodSeconds: f(1, int64().optional(), 'How long the object may take to go; 0: at once.'),
    preconditions: f(2, Preconditions.optional(), 'What must be true of the object, or it stays.'),
    orphanDependents: f(3, bool().optional(), 'Older spelling of the propagation policies Orphan and Background.'),
    propagationPolicy: f(4, string().optional(), 'What becomes of dependents: Orphan, Background or Foreground.'),
    dryRun: dryRun(5),
  },
  { description: 'How an object is to be deleted.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;

export const GetOptions = kind('meta.v1.GetOptions', {
  resourceVersion: f(1, string()),
});
export type GetOptions = Infer<typeof GetOptions>;

export const ListOptions = kind('meta.v1.ListOptions', {
  labelSelector: f(1, string(), 'Only objects whose labels match.'),
  fieldSelector: f(2, string(), 'Only objects whose fields match.'),
  watch: f(3, bool(), 'Stream changes instead of answering a list.'),
  allowWatchBookmarks: f(9, bool(), 'Tell now and then how far the stream has come.'),
  resourceVersion: f(4, string(), 'The version to list at or watch from.'),
  resourceVersionMatch: f(10, string(), 'How resourceVersion is meant: Exact or NotOlderThan.'),
  timeoutSeconds: f(5, int64().optional(), 'End the request after so long.'),
  limit: f(7, int64(), 'At most so many items; the rest can be read on.'),
  continue: f(8, string(), 'Read on where an earlier list ended.'),
});
export type ListOptions = Infer<typeof ListOptions>;

export const PatchOptions = kind('meta.v1.PatchOptions', {
  dryRun: dryRun(1),
  force: f(2, bool().optional(), 'Apply: take over fields that belong to others.'),
  fieldManager: f(3, string(), FIELD_MANAGER),
  fieldValidation: fieldValidation(4),
});
export type PatchOptions = Infer<typeof PatchOptions>;

export const UpdateOptions = kind('meta.v1.UpdateOptions', {
  dryRun: dryRun(1),
  fieldManager: f(2, string(), FIELD_MANAGER),
  fieldValidation: fieldValidation(3),
});
export type UpdateOptions = Infer<typeof UpdateOptions>;

export const ApplyOptions = kind('meta.v1.ApplyOptions', {
  dryRun: dryRun(1),
  force: f(2, bool().required()),
  fieldManager: f(3, string().required(), FIELD_MANAGER),
});
export type ApplyOptions = Infer<typeof ApplyOptions>;

export const TableOptions = kind('meta.v1.TableOptions', {
  includeObject: f(1, string()),
});
export type TableOptions = Infer<typeof TableOptions>;
