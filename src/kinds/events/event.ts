import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, microTime, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { EventSource } from '../core/event/event.ts';
import { ObjectReference } from '../core/references.ts';

export const EventSeries = struct(
  'events.v1.EventSeries',
  {
    count: f(1, int32().required(), 'Number of occurrences so far.'),
    lastObservedTime: f(2, microTime().required(), 'When the last of them was seen.'),
  },
  { description: 'How often an event has repeated.' },
);
export type EventSeries = Infer<typeof EventSeries>;

export const Event = kind(
  'events.v1.Event',
  {
    metadata: f(1, ObjectMeta),
    eventTime: f(2, microTime().required(), 'When the event was first observed. Required for new events.'),
    series: f(3, EventSeries.optional(), 'How often the event has repeated; unset for a single occurrence.'),
    reportingController: f(
      4,
      string(),
      'Name of the component that reports, such as example.com/my-controller. Required for new events.',
    ),
    reportingInstance: f(
      5,
      string(),
      'Which instance of the component reports, at most 128 characters. Required for new events.',
    ),
    action: f(
      6,
      string(),
      'What was done or failed, in one CamelCase word, at most 128 characters. Required for new events.',
    ),
    reason: f(7, string(), 'Why it was done, in one CamelCase word, at most 128 characters. Required for new events.'),
    regarding: f(8, ObjectReference, 'The object that the event is about, usually the one that the component manages.'),
    related: f(
      9,
      ObjectReference.optional(),
      'Second object of a more complex action, such as one that was created or deleted.',
    ),
    note: f(10, string(), 'What happened, for people; at most 1 kB.'),
    type: f(11, string(), 'Normal or Warning.'),
    deprecatedSource: f(12, EventSource, 'Reporting component in the older form of events.'),
    deprecatedFirstTimestamp: f(13, time(), 'First occurrence in the older form of events.'),
    deprecatedLastTimestamp: f(14, time(), 'Last occurrence in the older form of events.'),
    deprecatedCount: f(15, int32(), 'Number of occurrences in the older form of events.'),
  },
  {
    description:
      'Report of something that happened in the cluster. The text is for people, may change, and is deleted after a while.',
  },
);
export type Event = Infer<typeof Event>;
