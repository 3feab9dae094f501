import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';

export const ObjectRestoreSpec = struct(
  'explain.v1alpha1.ObjectRestoreSpec',
  {
    object: f(1, ExplainedObject.required(), 'Which object is to be as it was, there or gone.'),
    revision: f(
      2,
      string(),
      'Resource version as of which the object is restored. That of a deletion stands for the last state before it.',
    ),
    deleted: f(3, bool(), 'Restores the last state of an object that is gone, in place of a revision.'),
  },
  { description: 'Which state of an object to restore.' },
);
export type ObjectRestoreSpec = Infer<typeof ObjectRestoreSpec>;

export const ObjectRestoreStatus = struct(
  'explain.v1alpha1.ObjectRestoreStatus',
  {
    restoredRevision: f(1, string().required(), 'Resource version of the state that was restored.'),
    resourceVersion: f(2, string(), 'Resource version of the object now; empty after a dry run that would make it.'),
    uid: f(3, string(), 'Unique identifier of the object now.'),
    created: f(4, bool().required(), 'Whether the object was made anew.'),
    changed: f(5, bool().required(), 'Whether anything was different. False: the object said the same already.'),
    dryRun: f(6, bool(), 'Whether nothing was stored.'),
  },
  { description: 'What has become of an object that was restored.' },
);
export type ObjectRestoreStatus = Infer<typeof ObjectRestoreStatus>;

export const ObjectRestore = kind(
  'explain.v1alpha1.ObjectRestore',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ObjectRestoreSpec.required()),
    status: f(3, ObjectRestoreStatus),
  },
  {
    description:
      'Writes an old state of an object, or one that was deleted, as its new state, on behalf of and with the rights of whoever asks.',
  },
);
export type ObjectRestore = Infer<typeof ObjectRestore>;
