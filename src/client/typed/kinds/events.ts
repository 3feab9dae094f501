import type { Event as DeclaredEventsEvent } from '../../../kinds/events/event.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const events = inGroup(groups.events, 'v1');

export type EventsEvent = DeclaredEventsEvent;
export const EventsEvent: ObjectKind<EventsEvent, true> = events.namespaced('Event', 'events');
