import type { RequestInfo } from './request-info.ts';

const SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/**
 * Whether a request lasts as long as its client likes: a watch, or what goes through to a pod, a service or a node. Such
 * requests are neither timed nor counted among those being worked on.
 */
export const isLongRunning = ({ verb, resourceRequest, subresource }: RequestInfo): boolean =>
  verb === 'watch' || (resourceRequest && subresource !== '' && SUBRESOURCES.has(subresource));
