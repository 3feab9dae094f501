import { ObjectMeta } from '../../meta/object-meta.ts';
import type { Column } from '../../registry/resource-type.ts';
import { double, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { nameColumn, text, wide } from '../columns.ts';

export const RequestTimes = struct(
  'explain.v1alpha1.RequestTimes',
  {
    total: f(1, double().required(), 'From the arrival of the request to its answer.'),
    authentication: f(2, double().optional(), 'Finding out who asks, and as whom.'),
    body: f(3, double().optional(), 'Until the body had arrived.'),
    queue: f(4, double().optional(), 'Waiting for seats.'),
    authorization: f(5, double().optional(), 'Asking whether the user may.'),
    webhooks: f(6, double().optional(), 'Waiting for admission webhooks.'),
    handling: f(7, double().optional(), 'All the rest: reading, writing, waiting for the store.'),
  },
  { description: 'How long the parts of a request took, in milliseconds. What it did not get to is left out.' },
);

export const RequestFlow = struct(
  'explain.v1alpha1.RequestFlow',
  {
    schema: f(1, string().required(), 'The flow schema that the request belongs to.'),
    level: f(2, string().required(), 'The priority level that the schema leads to.'),
    waitedBecause: f(3, string().optional(), 'Why there were no seats at once; absent where there were.'),
    seats: f(4, int32().optional(), 'Seats that the request needed, where it had to wait.'),
    seatsInUse: f(5, int32().optional(), 'Seats of the level that were taken when it came.'),
    seatLimit: f(6, int32().optional(), 'Seats that the level has.'),
    waiting: f(7, int32().optional(), 'Requests that waited at the level already.'),
    queueLength: f(8, int32().optional(), 'Length of the queue it joined, itself included; 0: it could not.'),
    refused: f(9, string().optional(), 'Why it was turned away: queue-full, concurrency-limit, time-out or cancelled.'),
  },
  { description: 'Which part of the server the request was given to, and how it had to wait for it.' },
);

export const RequestWebhookCall = struct(
  'explain.v1alpha1.RequestWebhookCall',
  {
    configuration: f(1, string().required(), 'Name of the configuration that the webhook is of.'),
    webhook: f(2, string().required(), 'Name of the webhook.'),
    phase: f(3, string().required(), 'Which phase of admission asked: mutating or validating.'),
    milliseconds: f(4, double().required(), 'How long it took until it had answered.'),
    outcome: f(5, string().required(), 'What came of it: allowed, refused, failed, or failed and refused.'),
  },
  { description: 'A call of an admission webhook on behalf of the request.' },
);

/** Why a request is remembered. */
export const REMEMBERED_FOR = ['Slow', 'Waited', 'TurnedAway', 'OutOfTime'] as const;
export type RememberedFor = (typeof REMEMBERED_FOR)[number];

export const RequestStatus = struct(
  'explain.v1alpha1.RequestStatus',
  {
    reasons: f(1, list(string()), 'Why it is remembered: Slow, Waited, TurnedAway or OutOfTime.'),
    auditID: f(
      2,
      string().required(),
      'The id that its answer, the log and audit events carry; clients may choose it.',
    ),
    method: f(3, string().required(), 'The method of HTTP.'),
    path: f(4, string().required(), 'What was asked for, without the query.'),
    query: f(5, string().optional(), 'Parameters that are known, with their values; of others the names alone.'),
    verb: f(6, string().required(), 'What was to be done, as authorization calls it.'),
    user: f(7, string().optional(), 'Name of the user whose rights counted.'),
    groups: f(8, list(string()), 'The first groups of that user.'),
    impersonator: f(9, string().optional(), 'Who really sent it, acting as that user.'),
    userAgent: f(10, string().optional(), 'What the client calls itself.'),
    code: f(11, int32().required(), 'Status code of the answer.'),
    message: f(12, string().optional(), 'Why it was not done, unless that could quote what was sent.'),
    milliseconds: f(13, RequestTimes.required(), 'Where its time went.'),
    flow: f(14, RequestFlow.optional(), 'How it got its turn; absent where it did not come so far, or need not wait.'),
    webhooks: f(15, list(RequestWebhookCall), 'The calls of admission webhooks on its behalf.'),
  },
  { description: 'A request and what became of it.' },
);
export type RequestStatus = Infer<typeof RequestStatus>;

export const RememberedRequest = kind(
  'explain.v1alpha1.RememberedRequest',
  {
    metadata: f(
      1,
      ObjectMeta,
      'Created when the request arrived; named after its audit id, unless the client chose that.',
    ),
    status: f(2, RequestStatus.required(), 'What is remembered of it.'),
  },
  { description: 'A request that was slow, had to wait or was turned away. Nothing of it is stored.' },
);
export type RememberedRequest = Infer<typeof RememberedRequest>;

export const requestColumns: readonly Column<RememberedRequest>[] = [
  nameColumn,
  text('Why', 'Why it is remembered.', ({ status }) => (status.reasons ?? []).join(',')),
  text('User', 'Whose rights counted.', ({ status }) => status.user ?? ''),
  text('Verb', 'What was to be done.', ({ status }) => status.verb),
  text('Path', 'What was asked for.', ({ status }) => status.path),
  text('Code', 'Status code of the answer.', ({ status }) => status.code),
  text('Took', 'How long it took.', ({ status }) => `${Math.round(status.milliseconds.total)}ms`),
  text('When', 'When it arrived.', ({ metadata }) => metadata.creationTimestamp ?? ''),
  wide(text('Level', 'Its priority level.', ({ status }) => status.flow?.level ?? '')),
  wide(text('AuditID', 'The id that its answer carried.', ({ status }) => status.auditID)),
];
