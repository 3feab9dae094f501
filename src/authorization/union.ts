import type { UserInfo } from '../user.ts';
import { ABSTAIN } from './always.ts';
import type { Attributes, Authorizer, Decision, RuleSummary } from './attributes.ts';

/**
 * Asks in order; the first to allow or deny decides. When all abstain, so does the union, with their reasons a line each.
 * Stays synchronous as long as those asked do.
 */
export function union(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes) => askFrom(authorizers, 0, attributes, ''),
    rulesFor: (user, namespace) => joinRules(authorizers, user, namespace),
  };
}

function askFrom(
  authorizers: readonly Authorizer[],
  start: number,
  attributes: Attributes,
  earlier: string,
): Decision | Promise<Decision> {
  let reasons = earlier;
  for (let next = start; next < authorizers.length; next++) {
    const answer = authorizers[next]?.authorize(attributes) ?? ABSTAIN;
    if (answer instanceof Promise) {
      const soFar = reasons;
      return answer.then((decision) =>
        decision.decision === 'abstain'
          ? askFrom(authorizers, next + 1, attributes, joinLines(soFar, decision.reason))
          : decision,
      );
    }
    if (answer.decision !== 'abstain') return answer;
    reasons = joinLines(reasons, answer.reason);
  }
  return reasons === '' ? ABSTAIN : { decision: 'abstain', reason: reasons };
}

const joinLines = (first: string, second: string): string =>
  first === '' || second === '' ? first + second : `${first}\n${second}`;

const UNKNOWN_RULES: RuleSummary = { resourceRules: [], nonResourceRules: [], incomplete: true, problem: '' };

function joinRules(authorizers: readonly Authorizer[], user: UserInfo, namespace: string): RuleSummary {
  const all = authorizers.map((authorizer) => authorizer.rulesFor?.(user, namespace) ?? UNKNOWN_RULES);
  return {
    resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: all.some(({ incomplete }) => incomplete),
    problem: all.map(({ problem }) => problem).reduce(joinLines, ''),
  };
}
