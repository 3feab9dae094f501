import { badRequest } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import { modesOf } from '../../authorization/attributes.ts';
import type { Grant } from '../../authorization/grants.ts';
import { rulesStatus } from '../../authorization/reviews/rules-review.ts';
import type { Action } from '../../handlers/actions/action.ts';
import {
  type HeldRole,
  SubjectRulesReview,
  type SubjectRulesReviewSpec,
  type SubjectRulesReviewStatus,
} from '../../kinds/explain/subject-rules-review.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { AccessSources } from './access-story.ts';

/** What an answer tells of where rules come from; the rest is counted. */
const MOST_ROLES = 200;
const MOST_RULES = 1_000;

/** Everything that a user may do, as far as the modes can list it, and by which bindings. `group`: that of the review. */
export const subjectRulesReview = (sources: AccessSources, group: string): Action<SubjectRulesReview> => ({
  group,
  plural: 'subjectrulesreviews',
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'SubjectRulesReview', schema: SubjectRulesReview }],
  admission: false,
  async run({ object }) {
    const { spec } = object;
    if (!spec.user && !spec.groups?.length) throw badRequest('spec.user or spec.groups is required');
    const [user, namespace] = [subjectIn(spec), spec.namespace ?? ''];
    const rest = restEveryTurn(sources.runtime);
    const status = {
      ...(await rulesStatus(sources.authorizer, user, namespace, rest)),
      ...(await rolesHeld(sources, user, namespace)),
    };
    await rest();
    return { status: 201, body: canonicalise(SubjectRulesReview, { ...object, status }).value };
  },
});

const subjectIn = ({ user = '', groups }: SubjectRulesReviewSpec): UserInfo => ({
  name: user,
  uid: '',
  groups: groups ?? [],
  extra: new Map(),
});

async function rolesHeld(
  { authorizer, rbac, runtime }: AccessSources,
  user: UserInfo,
  namespace: string,
): Promise<Pick<SubjectRulesReviewStatus, 'heldRoles' | 'omittedRoles'>> {
  if (!modesOf(authorizer).some(({ mode }) => mode === 'RBAC')) return { heldRoles: [], omittedRoles: 0 };
  const rest = restEveryTurn(runtime);
  const heldRoles: HeldRole[] = [];
  let [omittedRoles, rulesLeft] = [0, MOST_RULES];
  for (const grant of rbac.grantsHeld(user, namespace)) {
    if (heldRoles.length < MOST_ROLES) {
      const held = heldRole(grant, rulesLeft);
      rulesLeft -= held.rules?.length ?? 0;
      heldRoles.push(held);
    } else omittedRoles++;
    const pause = rest();
    if (pause) await pause;
  }
  return { heldRoles, omittedRoles };
}

const heldRole = ({ holder, binding, role, rules }: Grant, mostRules: number): HeldRole => ({
  mode: 'RBAC',
  holder,
  ...(binding && { binding }),
  ...(role && { role }),
  rules: rules.slice(0, mostRules),
  omittedRules: Math.max(0, rules.length - mostRules),
});
