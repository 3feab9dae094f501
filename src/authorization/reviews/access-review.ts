import type { UserInfo } from '../../api/user.ts';
import type { Action } from '../../handlers/actions/action.ts';
import type {
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../kinds/authorization/v1/access-review-spec.ts';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from '../../kinds/authorization/v1/access-review-validation.ts';
import { LocalSubjectAccessReview } from '../../kinds/authorization/v1/local-subject-access-review.ts';
import { SelfSubjectAccessReview } from '../../kinds/authorization/v1/self-subject-access-review.ts';
import { SubjectAccessReview } from '../../kinds/authorization/v1/subject-access-review.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Struct } from '../../schema/schema.ts';
import type { Attributes, Authorizer } from '../attributes.ts';
import { refuseProblems, subjectIn, wantedIn } from './question.ts';

/** A question whether someone may do something, and the answer. */
interface Review<Spec extends SelfSubjectAccessReviewSpec> extends ApiObject {
  spec: Spec;
  status: SubjectAccessReviewStatus;
}

interface Kind<T> {
  readonly kind: string;
  readonly plural: string;
  readonly schema: Struct<T>;
  readonly validate: (review: T, problems: Problems) => void;
}

/** The three kinds of question, which differ in whom and where they may be about. `group`: that of the reviews. */
export function accessReviews(authorizer: Authorizer, group: string): readonly Action[] {
  const review = <Spec extends SelfSubjectAccessReviewSpec, T extends Review<Spec>>(
    { kind, plural, schema, validate }: Kind<T>,
    subjectOf: (spec: Spec, requester: UserInfo) => UserInfo,
  ): Action<T> => ({
    group,
    plural,
    subresource: '',
    accepts: [{ group, version: 'v1', kind, schema }],
    admission: false,
    async run({ object, options }) {
      refuseProblems(group, (problems) => validate(object, problems));
      const subject = subjectOf(object.spec, options.user);
      const status = await answer(authorizer, { user: subject, ...wantedIn(object.spec) });
      return { status: 201, body: canonicalise(schema, { ...object, status }).value };
    },
  });
  return [
    review<SelfSubjectAccessReviewSpec, SelfSubjectAccessReview>(
      {
        kind: 'SelfSubjectAccessReview',
        plural: 'selfsubjectaccessreviews',
        schema: SelfSubjectAccessReview,
        validate: validateSelfSubjectAccessReview,
      },
      (_spec, requester) => requester,
    ),
    review<SubjectAccessReviewSpec, SubjectAccessReview>(
      {
        kind: 'SubjectAccessReview',
        plural: 'subjectaccessreviews',
        schema: SubjectAccessReview,
        validate: validateSubjectAccessReview,
      },
      subjectIn,
    ),
    review<SubjectAccessReviewSpec, LocalSubjectAccessReview>(
      {
        kind: 'LocalSubjectAccessReview',
        plural: 'localsubjectaccessreviews',
        schema: LocalSubjectAccessReview,
        validate: validateLocalSubjectAccessReview,
      },
      subjectIn,
    ),
  ];
}

/** Nobody allowing is a no; only somebody forbidding is a denial. */
async function answer(authorizer: Authorizer, attributes: Attributes): Promise<SubjectAccessReviewStatus> {
  const { decision, reason, problem } = await authorizer.authorize(attributes);
  const evaluationError = problem ?? '';
  return { allowed: decision === 'allow', denied: decision === 'deny', reason, evaluationError };
}
