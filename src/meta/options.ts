import { bool, int64, string } from '../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../schema/schema.ts';

export const Preconditions = struct(
  'meta.v1.Preconditions',
  {
    uid: f(1, string().optional(), 'The UID that the object must have.'),
    resourceVersion: f(2, string().optional(), 'The resource version that the object must have.'),
  },
  { description: 'What must be true of an object for it to be deleted; otherwise the request fails with a conflict.' },
);
export type Preconditions = Infer<typeof Preconditions>;

const dryRun = (number: number) =>
  f(
    number,
    list(string()),
    'Set to All to run every stage of the request but store nothing. No other value is allowed.',
  );
const FIELD_MANAGER =
  'Name of the manager that the written fields belong to; at most 128 printable characters. Unset: taken from the user agent.';
const fieldValidation = (number: number) =>
  f(
    number,
    string(),
    'What happens to unknown and repeated fields: Ignore drops them, Warn (the default) warns too, Strict refuses the request.',
  );

export const CreateOptions = kind(
  'meta.v1.CreateOptions',
  {
    dryRun: dryRun(1),
    fieldManager: f(3, string(), FIELD_MANAGER),
    fieldValidation: fieldValidation(4),
  },
  { description: 'Options of a create request.' },
);
export type CreateOptions = Infer<typeof CreateOptions>;

export const DeleteOptions = kind(
  'meta.v1.DeleteOptions',
  {
    gracePeriodSeconds: f(
      1,
      int64().optional(),
      'Seconds that the object has for an orderly end; 0 deletes at once. Unset: the default of its kind.',
    ),
    preconditions: f(2, Preconditions.optional(), 'What must be true of the object for it to be deleted.'),
    orphanDependents: f(
      3,
      bool().optional(),
      'Deprecated, use propagationPolicy: true is Orphan, false is Background. Not allowed together with it.',
    ),
    propagationPolicy: f(
      4,
      string().optional(),
      'Orphan keeps owned objects, Background deletes them afterwards, Foreground before the object itself. Unset: the default of the kind.',
    ),
    dryRun: dryRun(5),
  },
  { description: 'Options of a delete request, sent as its body or in its query.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;

export const GetOptions = kind(
  'meta.v1.GetOptions',
  {
    resourceVersion: f(1, string(), 'The state to read must be at least this new. Unset: the latest; 0: any.'),
  },
  { description: 'Options of a request for one object.' },
);
export type GetOptions = Infer<typeof GetOptions>;

export const ListOptions = kind(
  'meta.v1.ListOptions',
  {
    labelSelector: f(1, string(), 'Only objects whose labels match, such as app=web,tier!=cache. Unset: all.'),
    fieldSelector: f(
      2,
      string(),
      'Only objects whose fields match, such as metadata.name=web; which fields can be used depends on the kind. Unset: all.',
    ),
    watch: f(3, bool(), 'Stream changes as they happen instead of answering with a list.'),
    allowWatchBookmarks: f(
      9,
      bool(),
      'Let a watch send BOOKMARK events, which carry nothing but a recent resource version to resume from.',
    ),
    resourceVersion: f(
      4,
      string(),
      'Resource version to list at or to watch from. Unset lists the latest; 0 takes any.',
    ),
    resourceVersionMatch: f(
      10,
      string(),
      'How a list applies resourceVersion: Exact or NotOlderThan. Requires resourceVersion; not allowed for watches.',
    ),
    timeoutSeconds: f(5, int64().optional(), 'Seconds after which a list or watch ends, whether or not there is more.'),
    limit: f(7, int64(), 'Most objects in one answer; the answer then has a continue token for the rest. Unset: all.'),
    continue: f(
      8,
      string(),
      'Token from the answer before, to get the next part of a list; the rest of the query must be the same.',
    ),
  },
  { description: 'Options of a list or watch request.' },
);
export type ListOptions = Infer<typeof ListOptions>;

export const PatchOptions = kind(
  'meta.v1.PatchOptions',
  {
    dryRun: dryRun(1),
    force: f(
      2,
      bool().optional(),
      'Take over fields that belong to other managers instead of failing with a conflict; only for apply patches.',
    ),
    fieldManager: f(3, string(), FIELD_MANAGER),
    fieldValidation: fieldValidation(4),
  },
  { description: 'Options of a patch request.' },
);
export type PatchOptions = Infer<typeof PatchOptions>;

export const UpdateOptions = kind(
  'meta.v1.UpdateOptions',
  {
    dryRun: dryRun(1),
    fieldManager: f(2, string(), FIELD_MANAGER),
    fieldValidation: fieldValidation(3),
  },
  { description: 'Options of an update request.' },
);
export type UpdateOptions = Infer<typeof UpdateOptions>;

export const ApplyOptions = kind(
  'meta.v1.ApplyOptions',
  {
    dryRun: dryRun(1),
    force: f(
      2,
      bool().required(),
      'Take over fields that belong to other managers instead of failing with a conflict.',
    ),
    fieldManager: f(3, string().required(), FIELD_MANAGER),
  },
  { description: 'Options of a server-side apply.' },
);
export type ApplyOptions = Infer<typeof ApplyOptions>;

export const TableOptions = kind(
  'meta.v1.TableOptions',
  {
    includeObject: f(
      1,
      string(),
      'What each row holds of its object: Metadata (the default), Object for all of it, or None.',
    ),
  },
  { description: 'Options of a request whose answer is a table.' },
);
export type TableOptions = Infer<typeof TableOptions>;
