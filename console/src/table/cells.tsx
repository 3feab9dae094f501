import { ageOf, clock } from '../state/clock.ts';
import type { Column, Row } from './rows.ts';

const GOOD = new Set([
  'Running',
  'Active',
  'Ready',
  'Bound',
  'True',
  'Succeeded',
  'Complete',
  'Completed',
  'Approved,Issued',
]);
const BAD =
  /^(Failed|Error|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|Lost|NotReady|Denied|Evicted|OOMKilled|Unknown)\b|Failed/;
const CAREFUL = /^(Pending|Terminating|ContainerCreating|Released|SchedulingDisabled|Ready,SchedulingDisabled)/;

const STATES = new Set(['Status', 'Phase', 'Condition', 'Ready', 'Available', 'Type']);

/** How a state is to be taken, if a column shows states. */
export function moodOf(column: string, text: string): '' | 'good' | 'bad' | 'careful' {
  if (!STATES.has(column)) return '';
  if (GOOD.has(text)) return 'good';
  if (BAD.test(text)) return 'bad';
  if (CAREFUL.test(text) || text === 'False') return 'careful';
  const [some, all] = /^(\d+)\/(\d+)$/.exec(text)?.slice(1) ?? [];
  return some === undefined ? '' : some === all ? 'good' : 'careful';
}

/** One cell. Ages go on while they are looked at. */
export function Cell({ column, row, at }: { column: Column; row: Row; at: number }) {
  const text = column.name === 'Age' && row.created !== '' ? ageOf(row.created, clock.value) : (row.cells[at] ?? '');
  const mood = moodOf(column.name, text);
  if (mood !== '') {
    return (
      <span class={`state ${mood}`} title={text}>
        {text}
      </span>
    );
  }
  return <span title={text}>{text}</span>;
}
