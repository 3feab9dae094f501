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
    parts: () => authorizers,
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
    const asked = authorizers[next];
    const answer = asked?.authorize(attributes) ?? ABSTAIN;
    if (answer instanceof Promise) {
      const before = soFar;
      return answer.then((decision) =>
        decision.decision === 'abstain'
          ? askFrom(authorizers, next + 1, attributes, joined(before, decision, asked?.mode))
          : decided(before, decision, asked?.mode),
      );
    }
    if (answer.decision !== 'abstain') return decided(soFar, answer, asked?.mode);
    soFar = joined(soFar, answer, asked?.mode);
  }
  return soFar;
}

/** The answer of the mode that decides. Who is refused may ask later who said what; of what is allowed nothing is kept. */
const decided = (earlier: Decision, last: Decision, mode: string | undefined): Decision =>
  last.decision === 'allow' || mode === undefined ? last : { ...last, ...toldBy(earlier, last, mode) };

/** Two that abstained, in one. */
function joined(first: Decision, second: Decision, mode: string | undefined): Decision {
  if (second === ABSTAIN) return first;
  const told = toldBy(first, second, mode);
  if (first === ABSTAIN) return { ...second, ...told };
  const problem = joinLines(first.problem ?? '', second.problem ?? '');
  const reason = joinLines(first.reason, second.reason);
  return { decision: 'abstain', reason, ...(problem === '' ? {} : { problem }), ...told };
}

/** What was said until now: a mode without a name is itself put together of several. */
function toldBy({ said = [] }: Decision, last: Decision, mode: string | undefined): Pick<Decision, 'said'> {
  const { decision, reason, problem } = last;
  const lately =
    mode === undefined
      ? (last.said ?? [])
      : [{ mode, decision, reason, ...(problem === undefined ? {} : { problem }) }];
  const all = [...said, ...lately];
  return all.length === 0 ? {} : { said: all };
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
