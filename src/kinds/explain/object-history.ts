import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int64, json, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';
import { ObjectVersion } from './object-version.ts';

export const ObjectHistorySpec = struct(
  'explain.v1alpha1.ObjectHistorySpec',
  {
    object: f(1, ExplainedObject.required(), 'Which object the versions are of, there or gone.'),
    limit: f(2, int64(), 'The most versions to show, at most 500, which is also used when nothing is given.'),
    continue: f(3, string(), 'Where to go on, from the answer before.'),
    resourceVersion: f(
      4,
      string(),
      'Shows only the version that the object had as of this resource version, with the object as it was.',
    ),
  },
  { description: 'Whose versions to show.' },
);
export type ObjectHistorySpec = Infer<typeof ObjectHistorySpec>;

export const ObjectHistoryStatus = struct(
  'explain.v1alpha1.ObjectHistoryStatus',
  {
    versions: f(1, list(ObjectVersion), 'Versions, newest first.'),
    continue: f(2, string(), 'Where to go on; empty when there are no older versions.'),
    oldestResourceVersion: f(
      3,
      string().required(),
      'What was changed up to this resource version is forgotten, but for the state that it left behind.',
    ),
    exists: f(4, bool().required(), 'Whether the object is there now.'),
    object: f(5, json().optional(), 'The object as it was, where one version was asked for.'),
  },
  { description: 'Versions of an object that are still remembered.' },
);
export type ObjectHistoryStatus = Infer<typeof ObjectHistoryStatus>;

export const ObjectHistory = kind(
  'explain.v1alpha1.ObjectHistory',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ObjectHistorySpec.required()),
    status: f(3, ObjectHistoryStatus),
  },
  {
    description: 'Asks for the versions of an object that are still remembered, and who made each; nothing is stored.',
  },
);
export type ObjectHistory = Infer<typeof ObjectHistory>;
