import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const StatusCause = struct('meta.v1.StatusCause', {
  reason: f(1, string()),
  message: f(2, string()),
  field: f(3, string()),
});
export type StatusCause = Infer<typeof StatusCause>;

export const StatusDetails = struct('meta.v1.StatusDetails', {
  name: f(1, string()),
  group: f(2, string()),
  kind: f(3, string()),
  uid: f(6, string()),
  causes: f(4, list(StatusCause)),
  retryAfterSeconds: f(5, int32()),
});
export type StatusDetails = Infer<typeof StatusDetails>;

export const Status = kind(
  'meta.v1.Status',
  {
    metadata: f(1, ListMeta),
    status: f(2, string()),
    message: f(3, string()),
    reason: f(4, string()),
    details: f(5, StatusDetails.optional()),
    code: f(6, int32()),
  },
  { description: 'The outcome of a request that has no object to show.' },
);
export type Status = Infer<typeof Status>;
