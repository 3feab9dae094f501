import type { RequestInfo } from '../request/request-info.ts';

const MOST_SEATS = 10;
const OBJECTS_PER_SEAT = 100;

/** How many objects there are of what a request asks for; undefined when nobody knows. */
export type CountObjects = (info: RequestInfo) => number | undefined;

/** How much of the server a request takes: lists by the number of objects they are about, anything else one seat. */
export function seatsFor(info: RequestInfo, countObjects: CountObjects): number {
  if (info.verb !== 'list') return 1;
  const stored = countObjects(info) ?? 0;
  if (stored <= OBJECTS_PER_SEAT / 2) return 1;
  return Math.min(MOST_SEATS, Math.max(1, Math.ceil(handledObjects(info, stored) / OBJECTS_PER_SEAT)));
}

/** A list that need not be of the newest version has every object looked at once; others cost each object twice. */
function handledObjects({ query }: RequestInfo, stored: number): number {
  const limit = Number(query.get('limit') ?? 0);
  const sent = limit > 0 && limit < stored ? limit : stored;
  const resourceVersion = query.get('resourceVersion') ?? '';
  const whole = resourceVersion === '0' || !(limit > 0);
  const exact = query.get('resourceVersionMatch') === 'Exact';
  if (resourceVersion !== '' && whole && !exact && !query.get('continue')) return stored;
  const selects = query.get('labelSelector') || query.get('fieldSelector');
  return selects ? stored + sent : 2 * sent;
}
