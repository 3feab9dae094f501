import { refuseProblems, subjectIn } from '../../authorization/reviews/question.ts';
import type { Action } from '../../handlers/actions/action.ts';
import { validateQuestion, validateUnnamed } from '../../kinds/authorization/v1/access-review-validation.ts';
import { AccessExplanation } from '../../kinds/explain/access-explanation.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { type AccessSources, accessStory } from './access-story.ts';
import { requestIn } from './question.ts';

/** Why somebody, or whoever asks, may or may not do something. `group`: that of the question. */
export const accessExplanation = (sources: AccessSources, group: string): Action<AccessExplanation> => ({
  group,
  plural: 'accessexplanations',
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'AccessExplanation', schema: AccessExplanation }],
  admission: false,
  async run({ object, options }) {
    refuseProblems(group, (problems) => {
      validateQuestion(object.spec, problems);
      validateUnnamed(object.metadata, problems);
    });
    const isOfOthers = object.spec.user || object.spec.groups?.length;
    const user = isOfOthers ? subjectIn(object.spec) : options.user;
    const spec = { ...object.spec, user: user.name, groups: [...user.groups] };
    const status = await accessStory(sources, { user, ...requestIn(spec) });
    return { status: 201, body: canonicalise(AccessExplanation, { ...object, spec, status }).value };
  },
});
