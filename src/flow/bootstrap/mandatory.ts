import { AUTHENTICATED_GROUP, MASTERS_GROUP, UNAUTHENTICATED_GROUP } from '../../api/user.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { everythingOf, exemptLevel, type FlowObjects, flowSchema, group, limitedLevel } from './declare.ts';

export const EXEMPT = 'exempt';
export const CATCH_ALL = 'catch-all';

/** The first and the last: those who are never held up, and what nothing else is about. Nobody can change these. */
export const mandatoryObjects = (v: Vocabulary): FlowObjects => ({
  levels: [exemptLevel(v, EXEMPT), limitedLevel(v, CATCH_ALL, 5)],
  schemas: [
    flowSchema(v, EXEMPT, { level: EXEMPT, precedence: 1 }, everythingOf(group(MASTERS_GROUP))),
    flowSchema(
      v,
      CATCH_ALL,
      { level: CATCH_ALL, precedence: 10_000, by: 'ByUser' },
      everythingOf(group(UNAUTHENTICATED_GROUP), group(AUTHENTICATED_GROUP)),
    ),
  ],
});
