import type { Action } from '../handlers/actions/action.ts';
import { SelfSubjectReview } from '../kinds/authentication/v1alpha1/self-subject-review.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { publishedUser } from './published-user.ts';

/** Tells whoever asks who they are, once all that changes it has had its turn. `group`: that of the reviews. */
export const selfSubjectReview = (group: string): Action<SelfSubjectReview> => ({
  group,
  plural: 'selfsubjectreviews',
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'SelfSubjectReview', schema: SelfSubjectReview }],
  admission: false,
  async run({ object, options }) {
    const status = { userInfo: publishedUser(options.user) };
    return { status: 201, body: canonicalise(SelfSubjectReview, { ...object, status }).value };
  },
});
