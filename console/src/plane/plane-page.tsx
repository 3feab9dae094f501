import { canExplain } from '../api/explaining.ts';
import { Absent } from '../parts/absent.tsx';
import { go } from '../state/route.ts';
import { Certificates } from './certificates.tsx';
import { Remembered } from './remembered.tsx';
import { Topic } from './topic.tsx';
import { Writes } from './writes.tsx';

/** Topics of the figures, and what stands beside them. */
const TOPICS: readonly (readonly [id: string, name: string])[] = [
  ['requests', 'Requests'],
  ['slow', 'Slow'],
  ['writes', 'Writes'],
  ['watches', 'Watches'],
  ['webhooks', 'Webhooks'],
  ['flow', 'Flow'],
  ['storage', 'Storage'],
  ['loops', 'Loops'],
  ['process', 'Process'],
  ['certificates', 'Certificates'],
];

/** What the server did in the last hour, and what it is doing now. */
export function PlanePage({ path }: { path: readonly string[] }) {
  const topic = TOPICS.find(([id]) => id === path[1])?.[0] ?? 'requests';
  return (
    <div class="page">
      <header class="tools">
        <h1>Plane</h1>
        <span class="quiet">the last hour</span>
      </header>
      <div class="tabs" role="tablist" aria-label="Topics">
        {TOPICS.map(([id, name]) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            aria-selected={id === topic}
            aria-controls="part"
            onClick={() => go(['plane', id])}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="part" role="tabpanel" id="part" aria-labelledby={`tab-${topic}`} key={topic}>
        <Part topic={topic} />
      </div>
    </div>
  );
}

function Part({ topic }: { topic: string }) {
  if (topic === 'slow') return canExplain('requests') ? <Remembered /> : <Absent what="What became of slow requests" />;
  if (topic === 'writes') return canExplain('writeactivities') ? <Writes /> : <Absent what="Who writes what" />;
  if (!canExplain('planefigures')) return <Absent what="What the server did in the last hour" />;
  return topic === 'certificates' ? <Certificates /> : <Topic topic={topic} />;
}
