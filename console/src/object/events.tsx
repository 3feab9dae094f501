import { useEffect, useState } from 'preact/hooks';
import { type Json, type JsonObject, listAt, textAt } from '../api/json.ts';
import { messageOf, sendForJson } from '../api/request.ts';
import { ageOf, clock } from '../state/clock.ts';
import type { LiveObject } from './live-object.ts';

const MOST = 50;

/** What was reported about an object, the newest first. */
export function Events({ live: { namespace }, object }: { live: LiveObject; object: JsonObject }) {
  const uid = textAt(object, 'metadata', 'uid');
  const [events, setEvents] = useState<readonly Json[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const asked = new AbortController();
    const query = new URLSearchParams({ fieldSelector: `involvedObject.uid=${uid}`, limit: '500' });
    const place = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    sendForJson(`/api/v1${place}/events?${query}`, { signal: asked.signal }).then(
      (list) => setEvents([...listAt(list, 'items')].sort((a, b) => lastOf(b).localeCompare(lastOf(a))).slice(0, MOST)),
      (error: unknown) => asked.signal.aborted || setProblem(messageOf(error)),
    );
    return () => asked.abort();
  }, [uid, namespace]);
  if (problem !== '') return <p class="quiet">Events cannot be read: {problem}</p>;
  if (events.length === 0) return null;
  return (
    <section class="card">
      <h2>Events</h2>
      <table class="plain">
        <thead>
          <tr>
            <th>Last</th>
            <th>Type</th>
            <th>Reason</th>
            <th>Message</th>
            <th>Times</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={textAt(event, 'metadata', 'uid')} class={textAt(event, 'type') === 'Warning' ? 'warning' : ''}>
              <td>{ageOf(lastOf(event), clock.value)}</td>
              <td>{textAt(event, 'type')}</td>
              <td>{textAt(event, 'reason')}</td>
              <td>{textAt(event, 'message')}</td>
              <td class="number">{textAt(event, 'count') || '1'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const lastOf = (event: Json): string =>
  textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || textAt(event, 'metadata', 'creationTimestamp');
