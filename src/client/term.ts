import type { Deadline } from '../runtime/deadline.ts';
import type { Send } from './plane-client.ts';

/** Sends nothing once the term is over. The plane gives up a request by then, too, which may have waited on its way. */
export function withinTerm(term: Deadline | undefined, send: Send): Send {
  if (!term) return send;
  return async (request) => {
    term.check();
    const timeoutMs = Math.max(1, Math.floor(term.left));
    const { target } = request;
    const bounded = `${target}${target.includes('?') ? '&' : '?'}timeout=${timeoutMs}ms`;
    return send({ ...request, target: bounded, timeoutMs });
  };
}
