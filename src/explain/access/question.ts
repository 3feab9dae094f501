import type { UserInfo } from '../../api/user.ts';
import type { Wanted } from '../../authorization/attributes.ts';
import { wantedIn } from '../../authorization/reviews/question.ts';
import type {
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
} from '../../kinds/authorization/v1/access-review-spec.ts';

/** These are about a collection, also where one name is selected. */
const COLLECTION_VERBS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection', 'create']);

/**
 * What a question is about, as a request for it would have it: one for a single namespace counts as one in that namespace,
 * so that roles there may allow it.
 */
export function requestIn(spec: SelfSubjectAccessReviewSpec): Wanted {
  const wanted = wantedIn(spec);
  const { group, resource, namespace, name, verb, subresource } = wanted;
  const isOneNamespace = group === '' && resource === 'namespaces' && namespace === '' && name !== '';
  if (!isOneNamespace || (subresource === '' && COLLECTION_VERBS.has(verb))) return wanted;
  return { ...wanted, namespace: name };
}

/** A question in the form in which it can be asked again. */
export function specOf(user: UserInfo, wanted: Wanted): SubjectAccessReviewSpec {
  const { verb, path, namespace, group, version, resource, subresource, name } = wanted;
  return {
    ...(wanted.resourceRequest
      ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name } }
      : { nonResourceAttributes: { path, verb } }),
    user: user.name,
    groups: [...user.groups],
    extra: Object.fromEntries([...user.extra].map(([key, values]) => [key, [...values]])),
    uid: user.uid,
  };
}
