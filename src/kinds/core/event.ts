import { int32, microTime, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { ObjectReference } from './references.ts';

export const EventSource = struct('core.v1.EventSource', {
  component: f(1, string()),
  host: f(2, string()),
});
export type EventSource = Infer<typeof EventSource>;

export const EventSeries = struct('core.v1.EventSeries', {
  count: f(1, int32()),
  lastObservedTime: f(2, microTime()),
});
export type EventSeries = Infer<typeof EventSeries>;

export const Event = kind(
  'core.v1.Event',
  {
    metadata: f(1, ObjectMeta.required()),
    involvedObject: f(2, ObjectReference.required()),
    reason: f(3, string()),
    message: f(4, string()),
    source: f(5, EventSource),
    firstTimestamp: f(6, time()),
    lastTimestamp: f(7, time()),
    count: f(8, int32()),
    type: f(9, string()),
    eventTime: f(10, microTime()),
    series: f(11, EventSeries.optional()),
    action: f(12, string()),
    related: f(13, ObjectReference.optional()),
    reportingComponent: f(14, string().always()),
    reportingInstance: f(15, string().always()),
  },
  { description: 'A report of something that happened to an object. Kept for a while only.' },
);
export type Event = Infer<typeof Event>;
