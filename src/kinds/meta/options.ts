import { bool, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const Preconditions = struct('meta.v1.Preconditions', {
  uid: f(1, string().optional()),
  resourceVersion: f(2, string().optional()),
});
export type Preconditions = Infer<typeof Preconditions>;

export const CreateOptions = kind('meta.v1.CreateOptions', {
  dryRun: f(1, list(string())),
  fieldManager: f(3, string()),
  fieldValidation: f(4, string()),
});
export type CreateOptions = Infer<typeof CreateOptions>;

export const DeleteOptions = kind(
  'meta.v1.DeleteOptions',
  {
    gracePeriodSeconds: f(1, int64().optional()),
    preconditions: f(2, Preconditions.optional()),
    orphanDependents: f(3, bool().optional()),
    propagationPolicy: f(4, string().optional()),
    dryRun: f(5, list(string())),
  },
  { description: 'How an object is to be deleted.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;

export const GetOptions = kind('meta.v1.GetOptions', {
  resourceVersion: f(1, string()),
});
export type GetOptions = Infer<typeof GetOptions>;

export const ListOptions = kind('meta.v1.ListOptions', {
  labelSelector: f(1, string()),
  fieldSelector: f(2, string()),
  watch: f(3, bool()),
  allowWatchBookmarks: f(9, bool()),
  resourceVersion: f(4, string()),
  resourceVersionMatch: f(10, string()),
  timeoutSeconds: f(5, int64().optional()),
  limit: f(7, int64()),
  continue: f(8, string()),
});
export type ListOptions = Infer<typeof ListOptions>;

export const PatchOptions = kind('meta.v1.PatchOptions', {
  dryRun: f(1, list(string())),
  force: f(2, bool().optional()),
  fieldManager: f(3, string()),
  fieldValidation: f(4, string()),
});
export type PatchOptions = Infer<typeof PatchOptions>;

export const UpdateOptions = kind('meta.v1.UpdateOptions', {
  dryRun: f(1, list(string())),
  fieldManager: f(2, string()),
  fieldValidation: f(3, string()),
});
export type UpdateOptions = Infer<typeof UpdateOptions>;

export const ApplyOptions = kind('meta.v1.ApplyOptions', {
  dryRun: f(1, list(string())),
  force: f(2, bool().required()),
  fieldManager: f(3, string().required()),
});
export type ApplyOptions = Infer<typeof ApplyOptions>;

export const TableOptions = kind('meta.v1.TableOptions', {
  includeObject: f(1, string()),
});
export type TableOptions = Infer<typeof TableOptions>;
