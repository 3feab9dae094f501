import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { NonResourceAttributes, ResourceAttributes } from '../authorization/v1/access-review-spec.ts';

export const FlowReviewSpec = struct(
  'explain.v1alpha1.FlowReviewSpec',
  {
    user: f(1, string(), 'Name of the user who would send the request.'),
    groups: f(2, list(string()), 'Groups of the user, all of them: none is added.'),
    resourceAttributes: f(3, ResourceAttributes.optional(), 'The request, if it is about a resource.'),
    nonResourceAttributes: f(4, NonResourceAttributes.optional(), 'The request, if it is about another path.'),
    query: f(5, string(), 'The query that a list would have, such as limit=500: it counts for the seats.'),
    accept: f(6, string(), 'The Accept header that a list would have: tables cost more than objects.'),
  },
  { description: 'The request that the question is about.' },
);
export type FlowReviewSpec = Infer<typeof FlowReviewSpec>;

export const FlowReviewStatus = struct(
  'explain.v1alpha1.FlowReviewStatus',
  {
    flowSchema: f(1, string().required(), 'The schema that the request belongs to.'),
    priorityLevel: f(2, string().required(), 'The level that the schema leads to.'),
    distinguisher: f(
      3,
      string().required(),
      'What tells its flow from the others of the schema: a user or a namespace.',
    ),
    seats: f(4, int32().required(), 'Seats that it would take.'),
    seatsInUse: f(5, int32().required(), 'Seats of the level that are taken now.'),
    seatLimit: f(6, int32().optional(), 'Seats that the level has; absent: no limit.'),
    executing: f(7, int32().required(), 'Requests of the level that are being worked on now.'),
    waiting: f(8, int32().required(), 'Requests that wait at the level now.'),
    queues: f(9, int32().required(), 'Queues of the level; 0: nobody waits there.'),
    queueLengthLimit: f(10, int32().required(), 'How many may wait in one of the queues.'),
    outcome: f(11, string().required(), 'What would become of it now: Dispatched, Queued, Refused or NotCounted.'),
    reason: f(12, string().required(), 'Why that is, in words.'),
  },
  { description: 'How flow control would treat the request at this moment.' },
);
export type FlowReviewStatus = Infer<typeof FlowReviewStatus>;

export const FlowReview = kind(
  'explain.v1alpha1.FlowReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, FlowReviewSpec.required()),
    status: f(3, FlowReviewStatus),
  },
  { description: 'Asks which flow a request would belong to, and whether it would wait; nothing is stored.' },
);
export type FlowReview = Infer<typeof FlowReview>;
