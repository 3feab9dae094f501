import { badRequest } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type { FlowPlan } from '../../flow/flow-plan.ts';
import { type MeasureExtent, seatsFor } from '../../flow/seats.ts';
import type { Route } from '../../flow/turn.ts';
import type { Action } from '../../handlers/actions/action.ts';
import { FlowReview, type FlowReviewSpec, type FlowReviewStatus } from '../../kinds/explain/flow-review.ts';
import { isLongRunning } from '../../request/long-running.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { whyWaiting } from '../requests/story.ts';

/** How requests get their turn; undefined: the server has no priority levels. */
export type FlowControl = { readonly plan: FlowPlan; readonly measure: MeasureExtent } | undefined;

const LONGEST_QUERY = 4096;

/** Which flow a request would belong to, and whether it would wait now. `group`: that of the review. */
export const flowReview = (flow: FlowControl, group: string): Action<FlowReview> => ({
  group,
  plural: 'flowreviews',
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'FlowReview', schema: FlowReview }],
  admission: false,
  async run({ object }) {
    const info = infoOf(object.spec);
    if (!flow) throw badRequest('the server runs without priority and fairness: requests have no flow');
    const status = statusOf(flow, subjectOf(object.spec), info, object.spec.accept || undefined);
    return { status: 201, body: canonicalise(FlowReview, { ...object, status }).value };
  },
});

function subjectOf({ user = '', groups }: FlowReviewSpec): UserInfo {
  if (!user && !groups?.length) throw badRequest('spec.user or spec.groups is required');
  return { name: user, uid: '', groups: groups ?? [], extra: new Map() };
}

function infoOf({ resourceAttributes, nonResourceAttributes, query = '' }: FlowReviewSpec): RequestInfo {
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    throw badRequest('exactly one of spec.resourceAttributes and spec.nonResourceAttributes is required');
  }
  if (query.length > LONGEST_QUERY) throw badRequest(`spec.query must have at most ${LONGEST_QUERY} characters`);
  const { verb = nonResourceAttributes?.verb ?? '', ...place } = resourceAttributes ?? {};
  const { group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = place;
  if (verb === '') throw badRequest('the verb is required');
  return {
    resourceRequest: resourceAttributes !== undefined,
    path: nonResourceAttributes?.path ?? '',
    ...{ verb, group, version, namespace, resource, subresource, name },
    rest: [],
    query: new URLSearchParams(query),
  };
}

function statusOf(
  { plan, measure }: NonNullable<FlowControl>,
  user: UserInfo,
  info: RequestInfo,
  accept: string | undefined,
): FlowReviewStatus {
  const route = plan.routeOf(user, info);
  const { configuration, seatsInUse, executing, queues } = route.level;
  const { limit, queuing } = configuration;
  const seats = Math.min(limit, seatsFor(info, accept, measure));
  return {
    flowSchema: route.schema,
    priorityLevel: route.level.name,
    distinguisher: distinguisherOf(route, user, info),
    seats,
    seatsInUse,
    ...(Number.isFinite(limit) ? { seatLimit: limit } : {}),
    executing,
    waiting: queues.length,
    queues: queuing?.queues ?? 0,
    queueLengthLimit: queuing?.queueLengthLimit ?? 0,
    ...outcomeOf(route, info, seats),
  };
}

function distinguisherOf({ distinguisher }: Route, user: UserInfo, info: RequestInfo): string {
  if (distinguisher === 'none') return '';
  return distinguisher === 'user' ? user.name : info.namespace;
}

function outcomeOf({ level }: Route, info: RequestInfo, seats: number): Pick<FlowReviewStatus, 'outcome' | 'reason'> {
  if (info.verb !== 'watch' && isLongRunning(info)) {
    return { outcome: 'NotCounted', reason: 'it lasts as long as its client likes, and takes no seat' };
  }
  const { configuration, seatsInUse, queues } = level;
  const { limit, queuing } = configuration;
  if (!Number.isFinite(limit)) return { outcome: 'Dispatched', reason: 'the level has no limit' };
  if (queues.length === 0 && seatsInUse + seats <= limit) {
    return { outcome: 'Dispatched', reason: `${limit - seatsInUse} of ${limit} seats are free` };
  }
  const reason = whyWaiting({ seats, seatsInUse, seatLimit: limit, waiting: queues.length });
  if (!queuing) return { outcome: 'Refused', reason: `${reason}; nobody waits at this level` };
  return { outcome: 'Queued', reason };
}
