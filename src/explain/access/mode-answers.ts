import type { Decision, ModeAnswer as Said } from '../../authorization/attributes.ts';
import type { ModeAnswer } from '../../kinds/explain/access-story.ts';

const WORDS = { allow: 'Allow', deny: 'Deny', abstain: 'NoOpinion' } as const;

/** What a mode said, as answers show it. */
export const modeAnswer = (mode: string, { decision, reason, problem = '' }: Omit<Said, 'mode'>): ModeAnswer => ({
  mode,
  decision: WORDS[decision],
  reason,
  evaluationError: problem,
});

/** What was said by each of the modes that were asked, in order; those that a refusal does not mention had no opinion. */
export function modeAnswers(asked: readonly string[], { decision, said = [] }: Decision): ModeAnswer[] {
  const silent = { decision: 'abstain', reason: '' } as const;
  const answers = asked.map((mode) => modeAnswer(mode, said.find((one) => one.mode === mode) ?? silent));
  // Who refused for certain was the last to be asked.
  const last = decision === 'deny' ? answers.findIndex((answer) => answer.decision === WORDS.deny) : -1;
  return last < 0 ? answers : answers.slice(0, last + 1);
}
