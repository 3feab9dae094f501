import type { RequestInfo } from './request-info.ts';

/** Subresources that lead on to something outside of the server. Their verbs say little of what is done there. */
const CONNECTIONS: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

/** Whether a request is put through to a pod, a service or a node rather than answered here. */
export const isConnection = ({ resourceRequest, subresource }: RequestInfo): boolean =>
  resourceRequest && CONNECTIONS.has(subresource);

/**
 * Whether a request lasts as long as its client likes: a watch, or what goes through to a pod, a service or a node. Such
 * requests are neither timed nor counted among those being worked on.
 */
export const isLongRunning = (info: RequestInfo): boolean =>
  info.verb === 'watch' || isConnection(info) || (info.resourceRequest && info.subresource === 'log');
