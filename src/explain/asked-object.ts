import { badRequest, internalBecause } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { Attributes, Authorizer } from '../authorization/attributes.ts';
import { denied } from '../authorization/denial.ts';
import type { ActionCall } from '../handlers/actions/action.ts';
import type { ExplainedObject } from '../kinds/explain/explained-object.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import { isStored, type ResourceType } from '../registry/resource-type.ts';
import { within } from '../runtime/deadline.ts';

/** The object that a question is about, whether it is there or not. */
export interface AskedObject {
  readonly type: ResourceType;
  /** '' for objects that have none. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * Finds what a question is about, and whether whoever asks may do this with it; throws what an ordinary request would be
 * answered. Everything that was acknowledged before the question can be read then.
 */
export async function askedObject(
  authorizer: Authorizer,
  { catalogue, objects, options }: Pick<ActionCall, 'catalogue' | 'objects' | 'options'>,
  located: ExplainedObject,
  verb = 'get',
): Promise<AskedObject> {
  const { group = '', version, resource, namespace = '', name } = located;
  for (const [field, text] of Object.entries({ resource, namespace, name })) {
    if (text.includes('/')) throw badRequest(`spec.object.${field} must not contain a slash`);
  }
  const type = version ? catalogue.find(group, version, resource) : catalogue.preferred(group, resource);
  const isServed = type && catalogue.find(type.group, type.version, type.plural) === type;
  if (!isServed || !isStored(type)) {
    const place = apiVersionOf({ group, version: version ?? '' }) || 'the core group';
    throw badRequest(`spec.object: there are no stored objects of ${JSON.stringify(resource)} in ${place}`);
  }
  if (name === '') throw badRequest('spec.object.name is required');
  if (type.namespaced !== (namespace !== '')) {
    throw badRequest(`spec.object.namespace ${type.namespaced ? 'is required' : 'must be empty'} for ${type.plural}`);
  }
  const asked = { type, namespace, name };
  await demandAccess(authorizer, options.user, verb, asked);
  await within(options.deadline, objects.catchUp(''));
  return asked;
}

/** Throws the 403 of someone who may not do this with an object. */
export async function demandAccess(
  authorizer: Authorizer,
  user: UserInfo,
  verb: string,
  asked: AskedObject,
): Promise<void> {
  const attributes = attributesOf(user, verb, asked);
  const decided = await authorizer.authorize(attributes);
  if (decided.decision === 'allow') return;
  throw decided.problem === undefined ? denied(attributes, decided) : internalBecause(decided.problem);
}

export async function mayAccess(
  authorizer: Authorizer,
  user: UserInfo,
  verb: string,
  asked: AskedObject,
): Promise<boolean> {
  return (await authorizer.authorize(attributesOf(user, verb, asked))).decision === 'allow';
}

/** As those of an ordinary request: one for a namespace has its name there too, and one that creates names nothing. */
function attributesOf(user: UserInfo, verb: string, { type, namespace, name }: AskedObject): Attributes {
  const { group, version, plural: resource } = type;
  const isNamespace = group === '' && resource === 'namespaces' && verb !== 'create' && verb !== 'list';
  return {
    user,
    verb,
    resourceRequest: true,
    group,
    version,
    resource,
    subresource: '',
    namespace: isNamespace ? name : namespace,
    name: verb === 'create' || verb === 'list' ? '' : name,
    path: '',
  };
}
