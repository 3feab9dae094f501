import { type Attributes, type Authorizer, modesOf } from '../../authorization/attributes.ts';
import { grantOf } from '../../authorization/rbac/grant-of-share.ts';
import type { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import type { RoleSlot } from '../../authorization/rbac/scope.ts';
import type { AccessGrant } from '../../kinds/explain/access-grant.ts';
import type {
  AccessStory,
  ModeAnswer,
  NearRule as ShownNearRule,
  SufficientRole,
} from '../../kinds/explain/access-story.ts';
import { inSteps, type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { leastGrant } from './least-grant.ts';
import { modeAnswer } from './mode-answers.ts';
import { type NearRule, nearestRules } from './nearest-rules.ts';
import { shownGrant, shownRule } from './shown-rules.ts';
import { sufficientRoles } from './sufficient-roles.ts';

export interface AccessSources {
  readonly authorizer: Authorizer;
  /** Roles and bindings, whether or not RBAC is one of the modes. */
  readonly rbac: RbacIndex;
  readonly vocabulary: Vocabulary;
  readonly runtime: Runtime;
}

/** More ways to be allowed something than anybody looks at. */
const MOST_GRANTS = 20;

/** Whether somebody may do something, why, and what would have to be otherwise. Takes turns with other work. */
export async function accessStory(sources: AccessSources, attributes: Attributes): Promise<AccessStory> {
  const rest = restEveryTurn(sources.runtime);
  const asked = await askModes(sources.authorizer, attributes);
  if (asked.decision === 'allow') {
    return { ...asked.story, allowed: true, grants: await grantsOf(sources.authorizer, attributes, rest) };
  }
  const note = whyRolesCannotHelp(sources, asked);
  const remedy = note === '' ? await remedyFor(sources, attributes, rest) : { note };
  return { ...asked.story, allowed: false, denied: asked.decision === 'deny', ...remedy };
}

type Story = Omit<AccessStory, 'allowed'>;

interface Asked {
  readonly decision: 'allow' | 'deny' | 'abstain';
  /** The mode that decided. */
  readonly last: string;
  readonly hasAskedRoles: boolean;
  readonly story: Pick<Story, 'reason' | 'evaluationError' | 'modes'>;
}

/** Asks one after the other, as for a request, and keeps what each says. */
async function askModes(authorizer: Authorizer, attributes: Attributes): Promise<Asked> {
  const modes: ModeAnswer[] = [];
  let hasAskedRoles = false;
  for (const authority of modesOf(authorizer)) {
    const { mode = '' } = authority;
    const answer = await authority.authorize(attributes);
    modes.push(modeAnswer(mode, answer));
    hasAskedRoles ||= mode === 'RBAC';
    if (answer.decision !== 'abstain') {
      const story = { modes, reason: answer.reason, evaluationError: answer.problem ?? '' };
      return { decision: answer.decision, last: mode, hasAskedRoles, story };
    }
  }
  const lines = (texts: readonly (string | undefined)[]): string => texts.filter((text) => text).join('\n');
  const reason = lines(modes.map((answer) => answer.reason));
  const evaluationError = lines(modes.map((answer) => answer.evaluationError));
  return { decision: 'abstain', last: '', hasAskedRoles, story: { modes, reason, evaluationError } };
}

function whyRolesCannotHelp({ authorizer }: AccessSources, { decision, last, hasAskedRoles }: Asked): string {
  if (!modesOf(authorizer).some(({ mode }) => mode === 'RBAC')) return 'RBAC is not among the authorization modes';
  return decision === 'deny' && !hasAskedRoles ? `${last} refuses it before RBAC is asked` : '';
}

/** Every way in which the modes let the user in. */
async function grantsOf(authorizer: Authorizer, attributes: Attributes, rest: Rest): Promise<AccessGrant[]> {
  const found: AccessGrant[] = [];
  for (const authority of modesOf(authorizer)) {
    if (authority.mode === 'AlwaysDeny') break;
    for (const grant of authority.grants?.(attributes, attributes.user) ?? []) {
      if (grant) found.push(shownGrant(authority.mode ?? '', grant, attributes, grant.holder));
      if (found.length >= MOST_GRANTS) return found;
      const pause = rest();
      if (pause) await pause;
    }
  }
  return found;
}

async function remedyFor(
  { rbac, vocabulary }: AccessSources,
  attributes: Attributes,
  rest: Rest,
): Promise<Pick<Story, 'nearestRules' | 'sufficientRoles' | 'leastGrant'>> {
  const { user } = attributes;
  const nearest = await inSteps(nearestRules(rbac, user, attributes), rest);
  const sufficient = await inSteps(sufficientRoles(rbac, attributes), rest);
  return {
    nearestRules: nearest.map((near) => shownNearRule(near, attributes)),
    sufficientRoles: sufficient.map(shownRole),
    leastGrant: leastGrant(rbac, vocabulary.groups.rbac, user, attributes),
  };
}

function shownNearRule({ share, rule, lacks }: NearRule, attributes: Attributes): ShownNearRule {
  const { holder, binding, role } = grantOf(share, []);
  return {
    holder,
    ...(binding && { binding }),
    ...(role && { role }),
    rule: shownRule(rule.source, attributes),
    lacks: [...lacks],
  };
}

const shownRole = ({ kind, namespace, name, role }: RoleSlot): SufficientRole => ({
  kind,
  namespace,
  name,
  rules: role?.rules.length ?? 0,
});
