import type { Access, AccessCheck, AccessDecision, DecideAccess, PathAccess } from '../admission/access-check.ts';
import type { UserInfo } from '../api/user.ts';
import type { Attributes, Authorizer, Decision } from './attributes.ts';

/** Asks the authorization modes on behalf of admission plugins. */
export const accessCheckOf =
  (authorizer: Authorizer): AccessCheck =>
  async (user, access) => {
    const { decision } = await authorizer.authorize(attributesOf(user, access));
    return decision === 'allow';
  };

/** The same, with what the modes say of their decision. */
export const accessDecisionsOf =
  (authorizer: Authorizer): DecideAccess =>
  (user, access) => {
    const decided = authorizer.authorize(attributesOf(user, access));
    return decided instanceof Promise ? decided.then(shown) : shown(decided);
  };

const shown = ({ decision, reason, problem }: Decision): AccessDecision => ({
  allowed: decision === 'allow',
  reason,
  error: problem,
});

const NO_RESOURCE = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

function attributesOf(user: UserInfo, access: Access | PathAccess): Attributes {
  const { verb } = access;
  if ('path' in access) return { user, verb, resourceRequest: false, ...NO_RESOURCE, path: access.path };
  const { group, resource, subresource = '', namespace = '', name = '' } = access;
  const version = '*';
  return { user, verb, resourceRequest: true, group, version, resource, subresource, namespace, name, path: '' };
}
