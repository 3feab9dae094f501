import type { Column } from '../../../registry/resource-type.ts';
import { nameColumn, text, wide } from '../../columns.ts';
import { age } from '../../printing.ts';
import type { Event } from './event.ts';

export const eventColumns: readonly Column<Event>[] = [
  text('Last Seen', 'Time since it last happened.', lastSeen),
  text('Type', 'Normal, or a warning.', ({ type }) => type ?? ''),
  text('Reason', 'What happened, in one word.', ({ reason }) => reason ?? ''),
  text('Object', 'What it happened to.', involved),
  wide(text('Subobject', 'Which part of the object.', ({ involvedObject }) => involvedObject.fieldPath ?? '')),
  wide(text('Source', 'Who reports it, and from where.', source)),
  text('Message', 'What happened, for people.', ({ message }) => message?.trim() ?? ''),
  wide(text('First Seen', 'Time since it first happened.', firstSeen)),
  wide(text('Count', 'How often it happened.', ({ series, count }) => (series ? (series.count ?? 0) : count || 1))),
  wide(nameColumn),
];

function lastSeen(event: Event, now: number): string {
  const { series, lastTimestamp } = event;
  if (series) return age(series.lastObservedTime, now);
  return lastTimestamp ? age(lastTimestamp, now) : firstSeen(event, now);
}

function firstSeen({ firstTimestamp, eventTime }: Event, now: number): string {
  return age(firstTimestamp ?? eventTime, now);
}

function involved({ involvedObject: { kind = '', name } }: Event): string {
  return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
}

function source({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const host = source.host || reportingInstance;
  return host ? `${component}, ${host}` : component;
}
