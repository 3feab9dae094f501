import { VERSION } from '../api/release.ts';
import type { UserInfo } from '../api/user.ts';
import type { Send } from '../client/plane-client.ts';
import type { Handle } from '../http/handler.ts';
import { inject } from '../http/inject.ts';
import type { Deadline } from '../runtime/deadline.ts';

/**
 * Has requests of control loops answered, by the stages that everyone's pass. Nothing is begun once the term is over.
 * `program`: the owner of fields that loops write.
 */
export const loopRequests =
  (handle: Handle, program: string) =>
  (user: UserInfo, term: Deadline | undefined): Send =>
  async ({ method, target, body = '', contentType = 'application/json', accept = 'application/json' }) => {
    const agent = { accept, 'user-agent': `${program}/${VERSION} ${user.name}` };
    const headers = body === '' ? agent : { ...agent, 'content-type': contentType };
    const request = { method, target: within(term, target), headers, body, identity: user, background: true };
    return inject(handle, request);
  };

/** The server gives up a request when its time is over: that of a loop which may no longer act is never longer. */
function within(term: Deadline | undefined, target: string): string {
  if (!term) return target;
  term.check();
  return `${target}${target.includes('?') ? '&' : '?'}timeout=${Math.max(1, Math.floor(term.left))}ms`;
}
