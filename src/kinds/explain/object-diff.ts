import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';
import { FieldChange } from './field-change.ts';
import { ObjectVersion } from './object-version.ts';

export const ObjectDiffSpec = struct(
  'explain.v1alpha1.ObjectDiffSpec',
  {
    object: f(1, ExplainedObject.required(), 'Which object the differences are of.'),
    fromRevision: f(2, string().required(), 'Resource version as of which the object is compared.'),
    toRevision: f(3, string(), 'Resource version that it is compared with; how it is now unless given.'),
    includeBookkeeping: f(4, bool(), 'Whether metadata.managedFields and metadata.resourceVersion are compared too.'),
  },
  { description: 'Which two states of an object to compare.' },
);
export type ObjectDiffSpec = Infer<typeof ObjectDiffSpec>;

export const ObjectDiffStatus = struct(
  'explain.v1alpha1.ObjectDiffStatus',
  {
    from: f(1, ObjectVersion.optional(), 'The state that is compared; missing when the object was not there.'),
    to: f(2, ObjectVersion.optional(), 'The state that it is compared with; missing when the object was not there.'),
    changes: f(3, list(FieldChange), 'What is different.'),
    remainingChanges: f(4, int64(), 'How many more fields are different than could be told.'),
  },
  { description: 'What is different between two states of an object.' },
);
export type ObjectDiffStatus = Infer<typeof ObjectDiffStatus>;

export const ObjectDiff = kind(
  'explain.v1alpha1.ObjectDiff',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ObjectDiffSpec.required()),
    status: f(3, ObjectDiffStatus),
  },
  { description: 'Asks what is different between two states of an object; nothing is stored.' },
);
export type ObjectDiff = Infer<typeof ObjectDiff>;
