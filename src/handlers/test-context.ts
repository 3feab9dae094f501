import type { HttpRequest } from '../http/message.ts';
import { RequestContext } from '../request/context.ts';

/** A request without a body or a connection, for tests of what answers it. Arrived at 0 on the monotonic clock. */
export function contextFor(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): RequestContext {
  const request: HttpRequest = {
    method,
    target,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    remoteAddress: '',
    hasBody: false,
    readBody: () => Promise.resolve(Buffer.alloc(0)),
    onceGone() {},
    streamBody: () => undefined,
    canUpgrade: false,
  };
  return new RequestContext(request, 'test', 0);
}
