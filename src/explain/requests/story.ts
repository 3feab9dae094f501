import { ownText } from '../../bounds/own-memory.ts';
import type { Reply } from '../../http/message.ts';
import type { RememberedFor, RememberedRequest, RequestStatus } from '../../kinds/explain/request.ts';
import { requestLine } from '../../observe/logging/request-line.ts';
import { requestTimes, rounded } from '../../observe/logging/slow-requests.ts';
import type { RequestContext } from '../../request/context.ts';
import type { FlowPlace, FlowWait } from '../../request/flow-place.ts';

const LONGEST = 256;
const MOST_GROUPS = 8;
const MOST_WEBHOOKS = 16;

/** When a request came and was answered. */
export interface AnsweredRequest {
  readonly context: RequestContext;
  readonly reply: Reply;
  /** Monotonic milliseconds. */
  readonly answered: number;
  readonly reasons: readonly RememberedFor[];
}

/** What is remembered of a request: bounded, and holding nothing of what it was cut out of. */
export function storyOf({ context, reply, answered, reasons }: AnsweredRequest): RequestStatus {
  const { info, user, webhookCalls } = context;
  const line = requestLine(context, reply);
  const flow = context.flow && flowOf(context.flow, context.wait);
  return {
    reasons: [...reasons],
    auditID: ownText(line.auditId),
    method: cut(line.method),
    path: cut(line.path),
    ...given('query', line.query),
    verb: cut(info.verb),
    ...given('user', line.user),
    ...(user ? { groups: user.groups.slice(0, MOST_GROUPS).map(cut) } : {}),
    ...given('impersonator', line.impersonator),
    ...given('userAgent', line.userAgent),
    code: reply.status,
    ...given('message', line.detail),
    milliseconds: timesOf(context, answered),
    ...(flow ? { flow } : {}),
    ...(webhookCalls ? { webhooks: webhookCalls.slice(0, MOST_WEBHOOKS).map(callOf) } : {}),
  };
}

/** The object that tells of it. */
export const requestObject = (
  group: string,
  name: string,
  arrived: number,
  status: RequestStatus,
): RememberedRequest => ({
  kind: 'RememberedRequest',
  apiVersion: `${group}/v1alpha1`,
  metadata: { name, creationTimestamp: new Date(arrived).toISOString().replace(/\.\d+Z$/, 'Z') },
  status,
});

function timesOf(context: RequestContext, answered: number): RequestStatus['milliseconds'] {
  const { authenticationMs, bodyMs, queueMs, authorizationMs, webhooksMs, handlingMs } = requestTimes(
    context,
    answered,
  );
  const parts = {
    authentication: authenticationMs,
    body: bodyMs,
    queue: queueMs,
    authorization: authorizationMs,
    webhooks: webhooksMs,
    handling: handlingMs,
  };
  const spent = Object.entries(parts).filter(([, milliseconds]) => milliseconds !== undefined);
  return { total: rounded(answered - context.received), ...Object.fromEntries(spent) };
}

function flowOf({ schema, level }: FlowPlace, wait: FlowWait | undefined): RequestStatus['flow'] {
  const place = { schema, level: level.name };
  if (!wait) return place;
  const { seats, seatsInUse, seatLimit, waiting, queueLength, refused } = wait;
  const numbers = { seats, seatsInUse, seatLimit, waiting, queueLength };
  return { ...place, waitedBecause: whyWaiting(wait), ...numbers, ...(refused === undefined ? {} : { refused }) };
}

/** In words; `limit` is finite, as nobody waits at a level without one. */
export function whyWaiting({
  seats,
  seatsInUse,
  seatLimit,
  waiting,
}: Omit<FlowWait, 'queueLength' | 'refused'>): string {
  const taken = `${seatsInUse} of ${seatLimit} seats were taken, and it needed ${Math.min(seats, seatLimit)}`;
  return waiting > 0 ? `${waiting} requests waited before it: ${taken}` : taken;
}

const callOf = ({ configuration, webhook, phase, milliseconds, outcome }: CallOf) => ({
  configuration: cut(configuration),
  webhook: cut(webhook),
  phase,
  milliseconds: rounded(milliseconds),
  outcome,
});
type CallOf = NonNullable<RequestContext['webhookCalls']>[number];

const cut = (text: string): string => ownText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const given = <Key extends string>(key: Key, text: string | undefined): { [K in Key]?: string } =>
  text === undefined ? {} : ({ [key]: cut(text) } as { [K in Key]?: string });
