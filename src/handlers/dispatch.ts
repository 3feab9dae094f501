import { methodNotAllowed, noSuchResource, verbNotSupported } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { Reply } from '../http/message.ts';
import { isStored, type ResourceType, type Subresource } from '../registry/resource-type.ts';
import type { RequestContext } from '../request/context.ts';
import { handleAction } from './actions/run-action.ts';
import { handleVirtualGet, handleVirtualList } from './actions/virtual.ts';
import type { Connector } from './connect/connector.ts';
import { connectorOf, handleConnect } from './connect/handle-connect.ts';
import { noteDeprecation } from './deprecation.ts';
import type { PathHandler } from './path-handler.ts';
import { handleGet } from './read/get.ts';
import { handleList } from './read/list.ts';
import { replyWithText } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';
import { handleWatch } from './watch/watch.ts';
import { handleCreate } from './write/create.ts';
import { handleDelete } from './write/delete.ts';
import { handleDeleteCollection } from './write/delete-collection.ts';
import { handlePatch } from './write/patch.ts';
import { handleUpdate } from './write/update.ts';

type Handler = (service: Service, resource: ResourceContext) => Promise<Reply>;

/** One handler for each verb; none knows a kind. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  create: handleCreate,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
  get: handleGet,
  list: handleList,
  patch: handlePatch,
  update: handleUpdate,
  watch: handleWatch,
};

/** For resources whose objects are not stored but made when asked for. */
const VIRTUAL_HANDLERS: Readonly<Record<string, Handler>> = {
  create: handleAction,
  get: handleVirtualGet,
  list: handleVirtualList,
};

/** A subresource that has no rules of its own shows nothing of the object it is below. */
function handlerOf(type: ResourceType, verb: string, subresource: Subresource | undefined): Handler | undefined {
  if (verb === 'create' && subresource) return handleAction;
  if (subresource && !subresource.rules && !subresource.projection) return undefined;
  return (isStored(type) ? HANDLERS : VIRTUAL_HANDLERS)[verb];
}

const nothingHere = (): Reply => replyWithText(404, '404 page not found\n');

/** The last stage: finds who answers, what a request is about in the catalogue, and the handler of its verb. */
export async function dispatch(
  service: Service,
  paths: readonly PathHandler[],
  context: RequestContext,
  user: UserInfo,
): Promise<Reply> {
  const elsewhere = service.remotes.answer(context, user);
  if (elsewhere) return elsewhere;
  if (!context.info.resourceRequest) return (await askPaths(paths, context)) ?? nothingHere();
  const { group, version, resource } = context.info;
  if (!isOffered(service, context)) return nothingHere();
  const type = service.catalogue.find(group, version, resource);
  if (!type) {
    if (service.catalogue.hasListed(group)) throw noSuchResource();
    return nothingHere();
  }
  const handler = handlerFor(type, context, connectorOf(service, type, context.info.subresource));
  noteDeprecation(service, type, context);
  const { explainAdmission } = service;
  if (explainAdmission && asksForExplanation(context)) {
    return explainAdmission(service, { context, type, user }, handler);
  }
  return handler(service, { context, type, user });
}

/** Whoever asks to be told of a write wants no write that nothing is told of. */
const EXPLAINED: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const asksForExplanation = ({ info }: RequestContext): boolean => EXPLAINED.has(info.verb) && info.query.has('explain');

/** What the server does for itself, or for the program around it, it does with all groups. */
const isOffered = ({ servedGroups }: Service, { request, info }: RequestContext): boolean =>
  servedGroups === undefined || servedGroups.has(info.group) || request.identity !== undefined;

async function askPaths(paths: readonly PathHandler[], context: RequestContext): Promise<Reply | undefined> {
  for (const path of paths) {
    const reply = await path(context);
    if (reply) return reply;
  }
  return undefined;
}

/** 404 where nothing is, 405 where something is that cannot do this. */
function handlerFor(type: ResourceType, { info, request }: RequestContext, connector: Connector | undefined): Handler {
  const { verb, namespace, name, subresource } = info;
  const nameless = name === '' && (verb === 'update' || verb === 'patch');
  const misplaced = !type.namespaced && namespace !== '' && type.plural !== 'namespaces';
  const unplaced = type.namespaced && namespace === '' && name !== '' && !isCollectionVerb(verb);
  if (misplaced || unplaced) throw noSuchResource();
  const declared = subresource === '' ? undefined : type.subresources[subresource];
  const verbs: readonly string[] | undefined = (subresource === '' ? type : declared)?.verbs;
  if (!verbs || (info.rest.length > 0 && !connector?.takesPath)) throw noSuchResource();
  if (connector && (verbs.includes(verb) || isAsking(request.method, connector))) return handleConnect;
  const handler = handlerOf(type, verb, declared);
  const unscoped = verb === 'deletecollection' && type.namespaced && namespace === '';
  const misdirected = nameless || unscoped || (verb === 'create' && !isCollectionOf(type, info));
  if (handler && verbs.includes(verb) && !misdirected) return handler;
  const isItem = subresource === '' && name !== '' && !isCollectionVerb(verb);
  if (isItem && !type.verbs.some(isItemVerb)) throw noSuchResource();
  throw type.namesRefusedVerbs
    ? verbNotSupported({ group: type.group, resource: type.plural }, verb)
    : methodNotAllowed();
}

/** No verb stands for this method, but whoever takes any path takes any method. */
const isAsking = (method: string, { takesPath = false }: Connector): boolean => takesPath && method === 'OPTIONS';

/** A place where an object can be posted to. */
const isCollectionOf = (type: ResourceType, { namespace, name, subresource }: RequestContext['info']): boolean =>
  subresource !== '' || (name === '' && (namespace !== '' || !type.namespaced));

/** What has none of these has no paths for single objects: an access review is posted, and never seen again. */
const isItemVerb = (verb: string): boolean => ['delete', 'get', 'patch', 'update'].includes(verb);

/** These carry a name only when their selector fixes one. */
const isCollectionVerb = (verb: string): boolean => verb === 'list' || verb === 'watch' || verb === 'deletecollection';
