import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, microTime, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { ObjectReference } from '../references.ts';

export const EventSource = struct(
  'core.v1.EventSource',
  {
    component: f(1, string(), 'Component that reports the event.'),
    host: f(2, string(), 'Node that the component runs on, if that matters.'),
  },
  { description: 'Who reports an event.' },
);
export type EventSource = Infer<typeof EventSource>;

export const EventSeries = struct(
  'core.v1.EventSeries',
  {
    count: f(1, int32(), 'How often the event has been seen, up to lastObservedTime.'),
    lastObservedTime: f(2, microTime(), 'When the event was seen the last time.'),
  },
  { description: 'How often an event that goes on has been seen.' },
);
export type EventSeries = Infer<typeof EventSeries>;

export const Event = kind(
  'core.v1.Event',
  {
    metadata: f(
      1,
      ObjectMeta.required(),
      'Standard object metadata. The namespace is that of the object the event is about, or default if that has none.',
    ),
    involvedObject: f(2, ObjectReference.required(), 'Object the event is about.'),
    reason: f(
      3,
      string(),
      'Why it happened, in one word for programs, such as Scheduled; at most 128 characters if eventTime is set.',
    ),
    message: f(4, string(), 'What happened, for people; at most 1024 characters if eventTime is set.'),
    source: f(
      5,
      EventSource,
      'Component that reports the event, as older clients name it. Newer ones use reportingComponent.',
    ),
    firstTimestamp: f(6, time(), 'When the event was seen the first time, as older clients count repeated events.'),
    lastTimestamp: f(7, time(), 'When the event was seen the last time, as older clients count repeated events.'),
    count: f(8, int32(), 'How often the event was seen, as older clients count repeated events.'),
    type: f(9, string(), 'Normal for information, Warning for trouble; more types may come.'),
    eventTime: f(
      10,
      microTime(),
      'When the event was first seen, in microseconds. If set, the reporting fields, action and reason are required.',
    ),
    series: f(
      11,
      EventSeries.optional(),
      'How often the event has been seen, if it is one that goes on. Unset for a single event.',
    ),
    action: f(12, string(), 'What was done or failed with the object, in one word; at most 128 characters.'),
    related: f(
      13,
      ObjectReference.optional(),
      'A second object that has a part in the event, such as the new pod of a controller.',
    ),
    reportingComponent: f(
      14,
      string().always(),
      'Controller that reports the event, as a qualified name such as example.com/scheduler.',
    ),
    reportingInstance: f(
      15,
      string().always(),
      'Instance of the controller that reports, such as a pod name; at most 128 characters.',
    ),
  },
  {
    description:
      'Reports something that happened to an object. Events are kept for a limited time and are no reliable record.',
  },
);
export type Event = Infer<typeof Event>;
