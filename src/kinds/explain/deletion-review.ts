import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';
import { ObjectVersion } from './object-version.ts';
import { FieldOwner } from './ownership-review.ts';

export const DeletionBlocker = struct(
  'explain.v1alpha1.DeletionBlocker',
  {
    type: f(
      1,
      string().required(),
      'What sort of thing it is: Refusal, GracePeriod, Finalizer, Dependent, Content, Condition, Webhook, APIService or DisruptionBudget.',
    ),
    name: f(2, string(), 'Name of the finalizer, webhook, service or condition.'),
    message: f(3, string().required(), 'Why it is in the way, and what usually clears it.'),
    object: f(4, ExplainedObject.optional(), 'The object that is in the way, or whose kind is.'),
    count: f(5, int64(), 'How many objects it stands for, where it is the content of a namespace.'),
    finalizers: f(6, list(string()), 'Finalizers of these objects.'),
    owners: f(7, list(FieldOwner), 'Who is recorded as the owner of a finalizer.'),
    setBy: f(8, ObjectVersion.optional(), 'The version that brought a finalizer; missing when that is not remembered.'),
    certain: f(
      9,
      bool().required(),
      'Whether it keeps the object by itself. False: it may refuse or hold up a deletion, which is known only when it is tried.',
    ),
  },
  { description: 'One thing that keeps an object, or would keep it.' },
);
export type DeletionBlocker = Infer<typeof DeletionBlocker>;

export const DeletionReviewSpec = struct(
  'explain.v1alpha1.DeletionReviewSpec',
  {
    object: f(1, ExplainedObject.required(), 'Which object is asked about.'),
  },
  { description: 'Whose deletion the question is about.' },
);
export type DeletionReviewSpec = Infer<typeof DeletionReviewSpec>;

export const DeletionReviewStatus = struct(
  'explain.v1alpha1.DeletionReviewStatus',
  {
    deleting: f(1, bool().required(), 'Whether the object is being deleted. False: what is told would keep it.'),
    deletionTimestamp: f(2, time().optional(), 'When it is to be gone at the latest, as far as its grace period goes.'),
    gracePeriodSeconds: f(3, int64().optional(), 'How long it was given.'),
    propagation: f(4, string(), 'What becomes of its dependents: Background, Foreground or Orphan.'),
    blockers: f(5, list(DeletionBlocker), 'What keeps it, or would keep it. Empty: nothing that is known here.'),
    remainingBlockers: f(6, int64(), 'How many more there are than could be told.'),
    notSearched: f(
      7,
      list(string()),
      'Resources that were left out because whoever asks may not list them, or nobody here knows their objects.',
    ),
  },
  { description: 'What keeps an object from going.' },
);
export type DeletionReviewStatus = Infer<typeof DeletionReviewStatus>;

export const DeletionReview = kind(
  'explain.v1alpha1.DeletionReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, DeletionReviewSpec.required()),
    status: f(3, DeletionReviewStatus),
  },
  { description: 'Asks what keeps an object or a namespace from going, or would keep it; nothing is stored.' },
);
export type DeletionReview = Infer<typeof DeletionReview>;
