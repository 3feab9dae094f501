import type { UserInfo } from '../api/user.ts';
import { ABSTAIN } from './always.ts';
import type { Attributes, Authorizer, Decision, RuleSummary } from './attributes.ts';

/**
 * Asks in order; the first to allow or deny decides. When all abstain, so does the union, with what they said a line each.
 * Stays synchronous as long as those asked do.
 */
export function union(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes) => askFrom(authorizers, 0, attributes, ABSTAIN),
    rulesFor: (user, namespace) => joinRules(authorizers, user, namespace),
  };
}

function askFrom(
  authorizers: readonly Authorizer[],
  start: number,
  attributes: Attributes,
  earlier: Decision,
): Decision | Promise<Decision> {
  let soFar = earlier;
  for (let next = start; next < authorizers.length; next++) {
    const answer = authorizers[next]?.authorize(attributes) ?? ABSTAIN;
    if (answer instanceof Promise) {
      const before = soFar;
      return answer.then((decision) =>
        decision.decision === 'abstain'
          ? askFrom(authorizers, next + 1, attributes, joined(before, decision))
          : decision,
      );
    }
    if (answer.decision !== 'abstain') return answer;
    soFar = joined(soFar, answer);
  }
  return soFar;
}

/** Two that abstained, in one. */
function joined(first: Decision, second: Decision): Decision {
  if (first === ABSTAIN) return second;
  if (second === ABSTAIN) return first;
  const problem = joinLines(first.problem ?? '', second.problem ?? '');
  const reason = joinLines(first.reason, second.reason);
  return { decision: 'abstain', reason, ...(problem === '' ? {} : { problem }) };
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
