import type { Reply } from '../http/message.ts';
import type { RequestContext } from './context.ts';
import type { Observer } from './pipeline.ts';

/**
 * Stands between clients and the path of their requests, for tests: delays requests, refuses them, or sends another reply.
 * It sees what metrics, logs and audit see, and comes before them, so that they tell of what the client was answered.
 */
export interface Interceptor {
  /** Who sends the request is known, and nothing is done yet. May hold it up, or throw an `ApiError` to refuse it. */
  arrived(context: RequestContext): undefined | Promise<void>;
  /**
   * Returns the reply to send, which may be another one, or one with its stream wrapped. Called for refusals too, also
   * for those of requests that never arrived because nobody knows who sent them. A defect of its own is a bare 500; to
   * have a client see its connection break, return a stream that aborts.
   */
  answered(context: RequestContext, reply: Reply): Reply | Promise<Reply>;
}

/** An observer of requests that an interceptor has had its way with. A server without one has its observer as it is. */
export function intercepted(observer: Observer, interceptor: Interceptor): Observer {
  return {
    ...observer,
    async identified(context) {
      await observer.identified(context);
      await interceptor.arrived(context);
    },
    async ended(context, reply) {
      return observer.ended(context, await interceptor.answered(context, reply));
    },
  };
}
