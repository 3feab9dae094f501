import { int32, microTime, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { EventSource } from '../core/event.ts';
import { ObjectReference } from '../core/references.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const EventSeries = struct('events.v1.EventSeries', {
  count: f(1, int32().required()),
  lastObservedTime: f(2, microTime().required()),
});
export type EventSeries = Infer<typeof EventSeries>;

export const Event = kind(
  'events.v1.Event',
  {
    metadata: f(1, ObjectMeta),
    eventTime: f(2, microTime().required()),
    series: f(3, EventSeries.optional()),
    reportingController: f(4, string()),
    reportingInstance: f(5, string()),
    action: f(6, string()),
    reason: f(7, string()),
    regarding: f(8, ObjectReference),
    related: f(9, ObjectReference.optional()),
    note: f(10, string()),
    type: f(11, string()),
    deprecatedSource: f(12, EventSource),
    deprecatedFirstTimestamp: f(13, time()),
    deprecatedLastTimestamp: f(14, time()),
    deprecatedCount: f(15, int32()),
  },
  { description: 'A report of something that happened to an object. Kept for a while only.' },
);
export type Event = Infer<typeof Event>;
