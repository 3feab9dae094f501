import { type Authorizer, modesOf, type Wanted } from '../../authorization/attributes.ts';
import { refuseProblems } from '../../authorization/reviews/question.ts';
import type { Action } from '../../handlers/actions/action.ts';
import { validateQuestion, validateUnnamed } from '../../kinds/authorization/v1/access-review-validation.ts';
import { WhoCanReview, type WhoCanReviewStatus } from '../../kinds/explain/who-can-review.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { AllowedSubjects } from './allowed-subjects.ts';
import { requestIn } from './question.ts';

/** Who may do something: every subject, by every way. `group`: that of the review. */
export const whoCanReview = (authorizer: Authorizer, runtime: Runtime, group: string): Action<WhoCanReview> => ({
  group,
  plural: 'whocanreviews',
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'WhoCanReview', schema: WhoCanReview }],
  admission: false,
  async run({ object }) {
    refuseProblems(group, (problems) => {
      validateQuestion(object.spec, problems);
      validateUnnamed(object.metadata, problems);
    });
    const status = await whoCan(authorizer, requestIn(object.spec), runtime);
    return { status: 201, body: canonicalise(WhoCanReview, { ...object, status }).value };
  },
});

/** Goes through what all modes grant, in turns with other work. */
export async function whoCan(authorizer: Authorizer, wanted: Wanted, runtime: Runtime): Promise<WhoCanReviewStatus> {
  const rest = restEveryTurn(runtime);
  const found = new AllowedSubjects(wanted);
  const unknown: string[] = [];
  for (const authority of modesOf(authorizer)) {
    const mode = authority.mode ?? 'a mode without a name';
    if (!authority.grants) unknown.push(`${mode} cannot list whom it allows, and may refuse what modes after it allow`);
    for (const grant of authority.grants?.(wanted) ?? []) {
      if (grant) found.add(mode, grant);
      const pause = rest();
      if (pause) await pause;
    }
    // These leave nothing to those after them.
    if (found.everyone || mode === 'AlwaysDeny') break;
  }
  return { ...found.status(), incomplete: unknown.length > 0, evaluationError: unknown.join('\n') };
}
