import type { AccessCheck } from '../admission/access-check.ts';
import type { Authorizer } from './attributes.ts';

/** Asks the authorization modes on behalf of admission plugins. */
export const accessCheckOf =
  (authorizer: Authorizer): AccessCheck =>
  async (user, { verb, group, resource, subresource = '', namespace = '', name = '' }) => {
    const asked = { user, verb, resourceRequest: true, group, version: '*', resource, subresource, namespace, name };
    const { decision } = await authorizer.authorize({ ...asked, path: '' });
    return decision === 'allow';
  };
