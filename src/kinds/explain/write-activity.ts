import { ObjectMeta } from '../../meta/object-meta.ts';
import type { Column } from '../../registry/resource-type.ts';
import { int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { integer, nameColumn, text } from '../columns.ts';

export const HotWriter = struct(
  'explain.v1alpha1.HotWriter',
  {
    user: f(1, string().required(), 'Name of the user.'),
    manager: f(2, string().required(), 'Under which name it owns what it writes; empty for deletions.'),
    group: f(3, string().required(), 'API group of what is written.'),
    resource: f(4, string().required(), 'Plural name of what is written.'),
    writes: f(5, int64().required(), 'How often it wrote: at most that often.'),
    overcounted: f(6, int64().required(), 'By how much that may be too high.'),
    noOps: f(7, int64().required(), 'Writes among them that changed nothing.'),
  },
  { description: 'Who writes much.' },
);
export type HotWriter = Infer<typeof HotWriter>;

export const HotObject = struct(
  'explain.v1alpha1.HotObject',
  {
    group: f(1, string().required(), 'API group of the object.'),
    resource: f(2, string().required(), 'Plural name of its kind.'),
    namespace: f(3, string().required(), 'Its namespace; empty for those that have none.'),
    name: f(4, string().required(), 'What the object is called in its namespace.'),
    writes: f(5, int64().required(), 'How often it was written: at most that often.'),
    overcounted: f(6, int64().required(), 'By how much that may be too high.'),
    noOps: f(7, int64().required(), 'Writes among them that changed nothing.'),
    alternations: f(8, int64().required(), 'How often the manager was another than the time before.'),
  },
  { description: 'What is written often.' },
);
export type HotObject = Infer<typeof HotObject>;

export const FoughtField = struct(
  'explain.v1alpha1.FoughtField',
  {
    group: f(1, string().required(), 'API group of the object.'),
    resource: f(2, string().required(), 'Plural name of its kind.'),
    namespace: f(3, string().required(), 'Its namespace; empty for those that have none.'),
    name: f(4, string().required(), 'What the object is called in its namespace.'),
    path: f(5, string().required(), 'Path of the field, such as .spec.replicas.'),
    managers: f(6, list(string()).required(), 'Who changes it in turn.'),
    changes: f(7, int64().required(), 'How often one of them changed it after another, in the history that was read.'),
  },
  { description: 'A field that several managers change in turn.' },
);
export type FoughtField = Infer<typeof FoughtField>;

export const WriteActivityStatus = struct(
  'explain.v1alpha1.WriteActivityStatus',
  {
    since: f(1, time(), 'From when on writes are counted: five to ten minutes ago.'),
    writes: f(2, int64().required(), 'All writes since then.'),
    noOps: f(3, int64().required(), 'Writes among them that changed nothing.'),
    writers: f(4, list(HotWriter).required(), 'Who wrote most, those who wrote most coming first.'),
    objects: f(5, list(HotObject).required(), 'What was written most.'),
    fights: f(6, list(FoughtField).required(), 'Fields of these objects that several managers change in turn.'),
  },
  { description: 'Who wrote what in the last minutes.' },
);
export type WriteActivityStatus = Infer<typeof WriteActivityStatus>;

export const WriteActivity = kind(
  'explain.v1alpha1.WriteActivity',
  {
    metadata: f(1, ObjectMeta, 'There is one object, named recent.'),
    status: f(2, WriteActivityStatus.required(), 'What is known of this server.'),
  },
  { description: 'The busiest writers and objects of the last minutes. Nothing of it is stored.' },
);
export type WriteActivity = Infer<typeof WriteActivity>;

export const writeActivityColumns: readonly Column<WriteActivity>[] = [
  nameColumn,
  integer('Writes', 'All writes.', ({ status }) => status.writes),
  integer('No-Ops', 'Writes that changed nothing.', ({ status }) => status.noOps),
  integer('Fights', 'Fields that several managers change in turn.', ({ status }) => status.fights?.length ?? 0),
  text('Since', 'From when on writes are counted.', ({ status }) => status.since ?? ''),
];
