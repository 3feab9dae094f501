import type { AnyObject } from '../../../client/plane-client.ts';
import type { Event } from '../../../kinds/core/event/event.ts';
import { age } from '../../../kinds/printing.ts';
import { fieldText } from '../../../selectors/field-text.ts';
import type { Sheet } from './sheet.ts';
import type { Subject } from './subject.ts';
import { byText } from './texts.ts';

/** What has happened to an object, the oldest first. Whoever may not read events is shown none. */
export async function eventsOf(subject: Subject<AnyObject>): Promise<readonly Event[]> {
  const { object, vocabulary } = subject;
  const { name = '', namespace = '', uid = '', annotations } = object.metadata;
  const about = { name, namespace, kind: object.kind, uid };
  if (isCore(object, 'Pod')) {
    const mirrored = annotations?.[vocabulary.annotations.configMirror];
    return search(subject, { ...about, kind: '', uid: mirrored ?? uid });
  }
  // Nodes tell of themselves by their names.
  if (isCore(object, 'Node')) {
    return sorted([...(await search(subject, about)), ...(await search(subject, { ...about, uid: name }))]);
  }
  return search(subject, about);
}

const isCore = ({ apiVersion, kind }: AnyObject, wanted: string): boolean => apiVersion === 'v1' && kind === wanted;

interface About {
  readonly name: string;
  readonly namespace: string;
  /** '' where it does not matter. */
  readonly kind: string;
  readonly uid: string;
}

async function search({ plane }: Subject<AnyObject>, { name, namespace, kind, uid }: About): Promise<readonly Event[]> {
  const fieldSelector = fieldText({
    'involvedObject.name': name,
    'involvedObject.namespace': namespace,
    ...(kind !== '' && { 'involvedObject.kind': kind }),
    ...(uid !== '' && { 'involvedObject.uid': uid }),
  });
  const found = await plane.list<Event>('', 'events', namespace, { fieldSelector }).catch((): Event[] => []);
  return sorted(found);
}

const sorted = (events: readonly Event[]): Event[] =>
  [...events].sort((a, b) => byText(a.lastTimestamp ?? '', b.lastTimestamp ?? ''));

export function writeEvents(sheet: Sheet, events: readonly Event[], now: number): void {
  if (events.length === 0) {
    sheet.field('Events', '<none>');
    return;
  }
  sheet.line(0, 'Events:');
  const rows = events.map((event) => [
    event.type ?? '',
    event.reason ?? '',
    ageText(event, now),
    event.source?.component || event.reportingComponent || '',
    (event.message ?? '').trim(),
  ]);
  const header = ['Type', 'Reason', 'Age', 'From', 'Message'];
  sheet.table(1, header, rows, ['----', '------', '----', '----', '-------']);
}

/** When it happened first, and how often and until when where that was more than once. */
export function ageText({ eventTime, firstTimestamp, lastTimestamp, series, count }: Event, now: number): string {
  const first = age(eventTime ?? firstTimestamp, now);
  if (series) return `${age(series.lastObservedTime, now)} (x${series.count ?? 0} over ${first})`;
  return (count ?? 0) > 1 ? `${age(lastTimestamp, now)} (x${count} over ${first})` : first;
}
