import type { RequestInfo } from '../request/request-info.ts';

const MOST_SEATS = 10;
const OBJECTS_PER_SEAT = 100;

/** More than so many bytes count for more than their objects. */
const BYTES_PER_SEAT = 512 * 1024;
/** How much more it takes to make something else of an object than to send its bytes. */
const RENDERING_COST = 3;

/** How much there is of what a request asks for, estimated. */
export interface Extent {
  readonly objects: number;
  /** Of one object on average. */
  readonly bytesEach: number;
}

/** Undefined when nobody knows. */
export type MeasureExtent = (info: RequestInfo) => Extent | undefined;

/**
 * How much of the server a request takes: lists by the objects they are about, their bytes and how they are rendered,
 * anything else one seat.
 */
export function seatsFor(info: RequestInfo, accept: string | undefined, measure: MeasureExtent): number {
  if (info.verb !== 'list') return 1;
  const { objects, bytesEach } = measure(info) ?? NOTHING;
  if (objects === 0) return 1;
  const handled = handledObjects(info, objects);
  const seats = Math.max(
    objects <= OBJECTS_PER_SEAT / 2 ? 0 : handled / OBJECTS_PER_SEAT,
    (handled * bytesEach) / BYTES_PER_SEAT,
  );
  const cost = isRendered(info, accept) ? RENDERING_COST : 1;
  return Math.min(MOST_SEATS, Math.max(1, Math.ceil(seats * cost)));
}

const NOTHING: Extent = { objects: 0, bytesEach: 0 };

/** Whether something else is sent than the bytes that are stored: a table, metadata, YAML, indented text. */
function isRendered({ query }: RequestInfo, accept: string | undefined): boolean {
  if (query.get('pretty')) return true;
  if (accept === undefined || accept === 'application/json' || accept === '*/*') return false;
  return accept.includes('as=') || accept.startsWith('application/yaml');
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
