import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import { replyWithText } from '../handlers/respond.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { isTrue } from '../request/request-info.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { WaitingTurn } from './turn.ts';

const ROOT = '/debug/api_priority_and_fairness/';
const NONE = '<none>';

type Row = readonly (string | number | boolean)[];

/** Shows what is going on at the priority levels: `dump_priority_levels`, `dump_queues` and `dump_requests`. */
export function flowDumpHandler(plan: FlowPlan): PathHandler {
  const tables: ReadonlyMap<string, (info: RequestInfo) => readonly Row[]> = new Map([
    ['dump_priority_levels', () => levelRows(plan)],
    ['dump_queues', () => queueRows(plan)],
    ['dump_requests', (info: RequestInfo) => requestRows(plan, isTrue(info.query.get('includeRequestDetails')))],
  ]);
  return (context) => {
    const { info } = context;
    const table = info.path.startsWith(ROOT) ? tables.get(info.path.slice(ROOT.length)) : undefined;
    if (!table) return undefined;
    demandRead(context);
    return replyWithText(200, aligned(table(info)));
  };
}

const LEVEL_COLUMNS = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

const levelRows = (plan: FlowPlan): readonly Row[] => [
  LEVEL_COLUMNS,
  ...plan.levels.map(({ level, totals }) => {
    const { queues, executing } = level;
    const active = [...queues.all()].filter(({ waiting }) => waiting.size > 0).length;
    const idle = executing === 0 && queues.length === 0;
    const { dispatched, refused, timedOut, cancelled } = totals;
    // A level that is being given up is not in the plan any more.
    return [level.name, active, idle, false, queues.length, executing, dispatched, refused, timedOut, cancelled];
  }),
];

const QUEUE_COLUMNS = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
];

/** Only queues in which anything waits or runs: the others hold nothing. */
const queueRows = (plan: FlowPlan): readonly Row[] => [
  QUEUE_COLUMNS,
  ...plan.levels.flatMap(({ level }) => {
    const queues = [...level.queues.all()].sort((a, b) => a.index - b.index);
    if (queues.length === 0) return [[level.name, ...QUEUE_COLUMNS.slice(1).map(() => NONE)]];
    return queues.map(({ index, waiting, executing, seatsInUse, nextStart, seatsWaiting }) => [
      level.name,
      index,
      waiting.size,
      executing,
      seatsInUse,
      `${(nextStart / 1000).toFixed(8)}ss`,
      seatsWaiting,
    ]);
  }),
];

const REQUEST_COLUMNS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
];
const DETAIL_COLUMNS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

/** Those who wait, in their order. */
function requestRows(plan: FlowPlan, details: boolean): readonly Row[] {
  const columns = details ? [...REQUEST_COLUMNS, ...DETAIL_COLUMNS] : REQUEST_COLUMNS;
  return [
    columns,
    ...plan.levels.flatMap(({ level }) => {
      const rows = [...level.queues.all()].flatMap(({ index, waiting }) =>
        [...waiting].map((request, place) => [
          level.name,
          request.route.schema,
          index,
          place,
          request.distinguisher,
          new Date(request.arrived).toISOString(),
          request.seats,
          ...(details ? detailsOf(request) : []),
        ]),
      );
      return rows.length === 0 ? [[level.name, ...columns.slice(1).map(() => NONE)]] : rows;
    }),
  ];
}

const detailsOf = ({ user, info }: WaitingTurn): Row => [
  user.name,
  info.verb,
  info.path,
  info.namespace,
  info.name,
  info.version,
  info.resource,
  info.subresource,
];

/** Comma-separated values in columns that line up. */
function aligned(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((value, at) => `${value}${at === row.length - 1 ? '' : ','}`));
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
