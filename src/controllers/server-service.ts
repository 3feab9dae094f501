import { ApiError } from '../api/errors.ts';
import { SERVER_USER } from '../api/user.ts';
import { NotYet, WorkQueue } from '../client/controlling/work-queue.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import { type Controller, type ControllerParts, servedType } from './controller.ts';
import { Membership } from './server-members.ts';
import { type OwnObject, ownObjects, type ServerAddress } from './server-objects.ts';

const OPTIONS = { user: SERVER_USER };

/** Where the server is, and whether there may be others beside it. */
export interface Publication {
  readonly clusterAddress: string;
  /** Where it listens; undefined when others cannot reach it. */
  readonly address: string | undefined;
  readonly port: number;
  /** Other servers publish themselves in the same store. */
  readonly isShared: boolean;
}

/**
 * Publishes the server, and those beside it, as a service with its endpoints, and puts back what others change or delete
 * of it. Resolves when all is there; what cannot be is told as an error, and tried again.
 */
export async function startServerService(parts: ControllerParts, publication: Publication): Promise<Controller> {
  const { clusterAddress, address, port, isShared } = publication;
  const own: readonly ServerAddress[] = address === undefined ? [] : [{ address, port }];
  let members: Membership | undefined;
  const wanted = (): readonly OwnObject[] => {
    const places = members?.places() ?? own;
    const objects = ownObjects(parts.vocabulary, { clusterAddress, port: places[0]?.port ?? port, places });
    // A version that is switched off has nothing to publish in.
    return objects.filter(({ group, plural }) => parts.catalogue.preferred(group, plural));
  };
  const onError = (plural: string, error: unknown): void => parts.onError('server-service', plural, error);
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of('server-service'),
    async handle(plural) {
      for (const object of wanted()) if (object.plural === plural) await ensure(parts, object);
    },
    onError,
  });
  const [place] = own;
  const onMembersChange = (): void => {
    if (members) for (const { plural } of wanted()) queue.add(plural);
  };
  if (isShared && place) members = await Membership.begin(parts, place, onMembersChange);
  const publish = (object: OwnObject): Promise<void> =>
    ensure(parts, object).catch((error: unknown) => {
      if (!(error instanceof NotYet)) onError(object.plural, error);
      queue.add(object.plural);
    });
  await Promise.all(wanted().map(publish));
  const subscriptions = wanted().map(({ group, plural, document: { metadata } }) => {
    const look = ({ metadata: { namespace, name } }: ApiObject): void => {
      if (name === metadata.name && namespace === metadata.namespace) queue.add(plural);
    };
    return parts.informer.follow({ group, plural }, { onSet: look, onRemove: look });
  });
  return {
    async close() {
      for (const subscription of subscriptions) subscription.close();
      await queue.close();
      await members?.close();
    },
  };
}

async function ensure(parts: ControllerParts, { group, plural, document }: OwnObject): Promise<void> {
  const type = servedType(parts, group, plural);
  const { namespace, name, labels } = document.metadata;
  const create = () => parts.registry.create(type, namespace, document, OPTIONS);
  const asWanted = (current: ApiObject | undefined) =>
    current && {
      ...document,
      metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...labels } },
    };
  try {
    if (!parts.objects.has(type, namespace, name)) await create();
    else await parts.registry.update({ type, namespace, name, subresource: '' }, asWanted, OPTIONS);
  } catch (error) {
    // Another server is publishing too: whoever was slower looks again.
    if (error instanceof ApiError && error.code === 409) throw new NotYet();
    if (!(error instanceof ApiError && error.reason === 'Invalid')) throw error;
    // What cannot be changed, such as an address from a former range, has to be made anew.
    await parts.registry.delete(type, namespace, name, OPTIONS);
    await create();
  }
}
