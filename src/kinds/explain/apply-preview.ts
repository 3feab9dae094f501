import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int64, json, rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';
import { FieldChange } from './field-change.ts';
import { ObjectVersion } from './object-version.ts';
import { FieldOwner } from './ownership-review.ts';

export const ApplyPreviewSpec = struct(
  'explain.v1alpha1.ApplyPreviewSpec',
  {
    object: f(1, ExplainedObject.required(), 'The object that would be applied to.'),
    document: f(2, rawExtension().required(), 'What would be applied.'),
    fieldManager: f(3, string().required(), 'As which manager of fields the document would be applied.'),
  },
  { description: 'What would be applied, and as whom.' },
);
export type ApplyPreviewSpec = Infer<typeof ApplyPreviewSpec>;

export const ApplyConflict = struct(
  'explain.v1alpha1.ApplyConflict',
  {
    path: f(1, string().required(), 'Path of the field.'),
    owner: f(2, FieldOwner.required(), 'Who owns it.'),
    theirs: f(4, json().optional(), 'Value that it has; missing when it has none.'),
    yours: f(5, json().optional(), 'Value that would be applied; missing when that is none.'),
    setBy: f(3, ObjectVersion.optional(), 'The version that gave it their value; missing when that is not remembered.'),
  },
  { description: 'A field that the document would take from someone else. An apply without force is refused for it.' },
);
export type ApplyConflict = Infer<typeof ApplyConflict>;

export const AbandonedField = struct(
  'explain.v1alpha1.AbandonedField',
  {
    path: f(1, string().required(), 'Path of the field.'),
    value: f(3, json().optional(), 'Value that it has.'),
    removed: f(
      2,
      bool().required(),
      'Whether it would go, because nobody else owns it. False: it would stay with others.',
    ),
  },
  { description: 'A field that the manager owns and the document does not name any more.' },
);
export type AbandonedField = Infer<typeof AbandonedField>;

export const ApplyPreviewStatus = struct(
  'explain.v1alpha1.ApplyPreviewStatus',
  {
    creates: f(1, bool().required(), 'Whether the object would be made.'),
    changes: f(2, list(FieldChange), 'What would be different, by force where there are conflicts.'),
    conflicts: f(3, list(ApplyConflict), 'What would be taken from others.'),
    abandoned: f(4, list(AbandonedField), 'What the manager would give up.'),
    remaining: f(5, int64(), 'How many more changes, conflicts and fields there are than could be told.'),
  },
  { description: 'What would become of an object.' },
);
export type ApplyPreviewStatus = Infer<typeof ApplyPreviewStatus>;

export const ApplyPreview = kind(
  'explain.v1alpha1.ApplyPreview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ApplyPreviewSpec.required()),
    status: f(3, ApplyPreviewStatus),
  },
  {
    description: 'Asks what applying a document would change, whom it would conflict with, and what it would give up.',
  },
);
export type ApplyPreview = Infer<typeof ApplyPreview>;
