import { invalid } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type {
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
} from '../../kinds/authorization/v1/access-review-spec.ts';
import { Problems } from '../../schema/problems.ts';
import type { Wanted } from '../attributes.ts';

/** Reviews have no name, and their problems are told without a kind. */
export function refuseProblems(group: string, validate: (problems: Problems) => void): void {
  const problems = new Problems();
  validate(problems);
  if (problems.found.length > 0) throw invalid(group, '', '', problems.found);
}

/** Whom a question is about. */
export const subjectIn = ({ user = '', uid = '', groups, extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  uid,
  groups: groups ?? [],
  extra: new Map(Object.entries(extra ?? {})),
});

/** What a question is about. */
export function wantedIn(spec: SelfSubjectAccessReviewSpec): Wanted {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const {
    verb = nonResourceAttributes?.verb ?? '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes ?? {};
  return {
    verb,
    resourceRequest: resourceAttributes !== undefined,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    path: nonResourceAttributes?.path ?? '',
  };
}
