import { methodNotAllowed } from '../api/errors.ts';
import type { Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';

/** Answers a path that is no resource path; undefined: not mine. Throws an `ApiError` like any handler. */
export type PathHandler = (context: RequestContext) => Promise<Reply | undefined> | Reply | undefined;

/** For documents, which can only be read. Ask only once the path is known to lead somewhere. Throws 405. */
export function demandRead({ request: { method } }: RequestContext): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
}
