import { badRequest } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Action } from '../../handlers/actions/action.ts';
import {
  SelfSubjectRulesReview,
  type SubjectRulesReviewStatus,
} from '../../kinds/authorization/v1/self-subject-rules-review.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Authorizer } from '../attributes.ts';

/** Everything the requester may do in a namespace, as far as the authorizer can list it. `group`: that of the reviews. */
export function rulesReview(authorizer: Authorizer, group: string): Action<SelfSubjectRulesReview> {
  return {
    group,
    plural: 'selfsubjectrulesreviews',
    subresource: '',
    accepts: [{ group, version: 'v1', kind: 'SelfSubjectRulesReview', schema: SelfSubjectRulesReview }],
    admission: false,
    async run({ object, options, context }) {
      const { kind, apiVersion, spec } = object;
      if (!spec.namespace) throw badRequest('no namespace on request');
      const rest = restEveryTurn(context.runtime);
      const status = await rulesStatus(authorizer, options.user, spec.namespace, rest);
      // The answer does not repeat the question.
      const review = { kind, apiVersion, metadata: {}, spec: {}, status };
      return { status: 201, body: canonicalise(SelfSubjectRulesReview, review).value };
    },
  };
}

/** An answer is made in one turn, and may have no more values than a document. */
const MOST_TEXTS = 20_000;

/** What a user may do in a namespace, each rule once, as far as an answer has room for it. */
export async function rulesStatus(
  authorizer: Authorizer,
  user: UserInfo,
  namespace: string,
  rest: Rest,
): Promise<SubjectRulesReviewStatus> {
  const rules = authorizer.rulesFor?.(user, namespace);
  if (!rules) {
    const evaluationError = 'the authorizer cannot list what a user may do';
    return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError };
  }
  await rest();
  const told = new ToldRules(rest);
  const resourceRules = await told.distinct(rules.resourceRules, (rule) => ({
    verbs: [...rule.verbs],
    apiGroups: [...rule.apiGroups],
    resources: [...rule.resources],
    resourceNames: [...rule.resourceNames],
  }));
  const nonResourceRules = await told.distinct(rules.nonResourceRules, (rule) => ({
    verbs: [...rule.verbs],
    nonResourceURLs: [...rule.nonResourceURLs],
  }));
  const tooMany = told.omitted > 0 ? `${told.omitted} rules are left out, which are too many for an answer` : '';
  return {
    resourceRules,
    nonResourceRules,
    incomplete: rules.incomplete || told.omitted > 0,
    evaluationError: [rules.problem, tooMany].filter((problem) => problem !== '').join('; '),
  };
}

/** Rules, each once: several modes, or several roles, may grant the same. */
class ToldRules {
  omitted = 0;
  readonly #rest: Rest;
  #room = MOST_TEXTS;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  async distinct<T extends object, R extends Readonly<Record<string, readonly string[]>>>(
    rules: readonly T[],
    shown: (rule: T) => R,
  ): Promise<R[]> {
    const known = new Set<string>();
    const told: R[] = [];
    for (const rule of rules) {
      const text = JSON.stringify(rule);
      if (!known.has(text)) {
        known.add(text);
        const one = shown(rule);
        this.#room -= 1 + Object.values(one).reduce((sum, texts) => sum + 1 + texts.length, 0);
        if (this.#room >= 0) told.push(one);
        else this.omitted++;
      }
      const pause = this.#rest();
      if (pause) await pause;
    }
    return told;
  }
}
