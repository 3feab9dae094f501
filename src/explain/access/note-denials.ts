import { type Authorizer, modesOf } from '../../authorization/attributes.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Observer } from '../../request/pipeline.ts';
import type { DenialLog } from './denial-log.ts';

/** By what a refusal can be found: in the answer beside the 403, whose text says no more for it. */
export const DENIAL_ID_HEADER = 'Denial-Id';

/** An observer that remembers denials. A request that is allowed costs it one look. */
export function noteDenials(observer: Observer, denials: DenialLog, authorizer: Authorizer): Observer {
  let modes: readonly string[] = [];
  const note = (context: RequestContext): void => {
    const { denial, impersonator, auditId } = context;
    if (!denial) return;
    modes = sameList(modes, namesOf(authorizer));
    const { attributes, decision, message } = denial;
    const id = denials.note({
      attributes,
      decision,
      message,
      modes,
      impersonator: impersonator?.name ?? '',
      auditId,
    });
    if (id !== undefined) context.answerHeaders = [...context.answerHeaders, DENIAL_ID_HEADER, id];
  };
  return {
    ...observer,
    ended(context, reply) {
      if (context.denial) note(context);
      return observer.ended(context, reply);
    },
  };
}

const namesOf = (authorizer: Authorizer): string[] => modesOf(authorizer).map(({ mode = '' }) => mode);

/** The first where both say the same: thousands of denials then share one list. */
const sameList = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.length === other.length && one.every((name, at) => name === other[at]) ? one : other;
