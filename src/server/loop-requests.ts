import { VERSION } from '../api/release.ts';
import type { UserInfo } from '../api/user.ts';
import type { Send } from '../client/plane-client.ts';
import { withinTerm } from '../client/term.ts';
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
    withinTerm(
      term,
      async ({ method, target, body = '', contentType = 'application/json', accept = 'application/json' }) => {
        const agent = { accept, 'user-agent': `${program}/${VERSION} ${user.name}` };
        const headers = body === '' ? agent : { ...agent, 'content-type': contentType };
        const injected = await inject(handle, { method, target, headers, body, identity: user, background: true });
        return { status: injected.status, body: injected.body };
      },
    );
