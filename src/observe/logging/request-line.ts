import { headerValue } from '../../http/headers.ts';
import type { Reply } from '../../http/message.ts';
import type { RequestContext } from '../../request/context.ts';

/** Longer texts of clients are cut: a line is for reading. */
const LONGEST = 512;

/** What a line says about a request and its answer. What is not known, or not there, is undefined. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly verb: string;
  readonly status: number;
  /** Why it was not done: the word that clients match on, and the sentence that goes with it. */
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  /** Fields of the body that are at fault. */
  readonly fields: string | undefined;
  readonly user: string | undefined;
  readonly impersonator: string | undefined;
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  readonly auditId: string;
}

export function requestLine(context: RequestContext, reply: Reply): RequestLine {
  const { request, info, user, impersonator, auditId } = context;
  const mark = request.target.indexOf('?');
  return {
    method: cut(request.method),
    path: cut(info.path),
    query: mark < 0 ? undefined : shownQuery(request.target.slice(mark + 1)),
    verb: cut(info.verb),
    status: reply.status,
    ...refusalOf(request.method, reply),
    user: user?.name,
    impersonator: impersonator?.name,
    userAgent: cutIfGiven(headerValue(request, 'user-agent')),
    address: request.remoteAddress.replace(/^::ffff:(?=\d+\.)/, '') || undefined,
    auditId,
  };
}

/**
 * The parameters whose values are shown. Any other may be meant for a program behind a proxy, or be a credential that a
 * client put in the wrong place: of those only the name is.
 */
const SHOWN: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'container',
  'continue',
  'dryRun',
  'exclude',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'follow',
  'force',
  'gracePeriodSeconds',
  'includeObject',
  'labelSelector',
  'limit',
  'limitBytes',
  'orphanDependents',
  'pretty',
  'previous',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'sinceSeconds',
  'sinceTime',
  'stderr',
  'stdin',
  'stdout',
  'tailLines',
  'timeout',
  'timeoutSeconds',
  'timestamps',
  'tty',
  'verbose',
  'watch',
]);

function shownQuery(query: string): string {
  const parts = [...new URLSearchParams(query.slice(0, 4 * LONGEST))].map(([name, value]) =>
    SHOWN.has(name) ? `${name}=${value}` : `${cut(name)}=[redacted]`,
  );
  return cut(parts.join('&'));
}

type Refusal = Pick<RequestLine, 'reason' | 'detail' | 'fields'>;

const NONE: Refusal = { reason: undefined, detail: undefined, fields: undefined };

/** Methods with a document, which a message about it may quote. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Of a document that does not fit only the fields at fault are named: what they hold may be a secret. */
function refusalOf(method: string, { status, outcome }: Reply): Refusal {
  if (status < 400) return NONE;
  const { reason, message, details }: Outcome = outcome ?? {};
  const quotesBody = (status === 400 || status === 422) && WITH_BODY.has(method);
  const fields = details?.causes?.flatMap(({ field }) => field ?? []).join(',');
  return {
    reason,
    detail: quotesBody ? undefined : cutIfGiven(message),
    fields: quotesBody ? cutIfGiven(fields || undefined) : undefined,
  };
}

/** As much of a Status as a line uses. */
interface Outcome {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const cutIfGiven = (text: string | undefined): string | undefined => (text === undefined ? undefined : cut(text));
