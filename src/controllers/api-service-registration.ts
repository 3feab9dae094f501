import { ApiError } from '../api/errors.ts';
import { NotYet, WorkQueue } from '../client/controlling/work-queue.ts';
import { CUSTOM_PRIORITIES } from '../extension/aggregation/group-directory.ts';
import {
  asManaged,
  isAsManaged,
  type LocalService,
  localService,
  managementOf,
} from '../extension/aggregation/local-services.ts';
import type { APIService } from '../kinds/apiregistration/api-service.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';

const NAME = 'api-service-registration';
const PLURAL = 'apiservices';

/**
 * Has an APIService for every version of custom kinds, and none for those that are gone. What someone else made under
 * such a name, without the label by which servers know their own, is left alone.
 */
export function startApiServiceRegistration(parts: ControllerParts): Controller {
  let wanted = customServices(parts);
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => ensure(parts, name, wanted.get(name)),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const look = (): void => {
    const before = wanted;
    wanted = customServices(parts);
    for (const name of wanted.keys()) if (!before.has(name)) queue.add(name);
    for (const name of before.keys()) if (!wanted.has(name)) queue.add(name);
  };
  const kinds = parts.catalogue.follow({ onAdd: look, onRemove: look, onReplace: look });
  const lookAt = ({ metadata: { name = '' } }: APIService): void => queue.add(name);
  const services = parts.informer.follow(
    { group: parts.vocabulary.groups.apiregistration, plural: PLURAL },
    { onSet: lookAt, onRemove: lookAt },
  );
  for (const name of wanted.keys()) queue.add(name);
  return {
    close() {
      kinds.close();
      services.close();
      return queue.close();
    },
  };
}

/** By name: versions that the server does not have by itself. */
function customServices({ catalogue, builtInPriorities }: ControllerParts): ReadonlyMap<string, LocalService> {
  const services = catalogue
    .groups()
    .flatMap(({ name, versions }) =>
      versions
        .filter((version) => !builtInPriorities(name, version))
        .map((version) => localService(name, version, CUSTOM_PRIORITIES, 'true')),
    );
  return new Map(services.map((service) => [service.name, service]));
}

async function ensure(parts: ControllerParts, name: string, wanted: LocalService | undefined): Promise<void> {
  const { objects, registry, vocabulary } = parts;
  const type = servedType(parts, vocabulary.groups.apiregistration, PLURAL);
  const options = identityOf(parts, NAME);
  const current = objects.get<APIService>(type, '', name);
  const isOurs = !current || managementOf(current, vocabulary) === 'true';
  if (!isOurs || current?.metadata.deletionTimestamp) return;
  try {
    if (!wanted) {
      if (current) await registry.delete(type, '', name, options);
    } else if (!current) await registry.create(type, '', asManaged(undefined, wanted, vocabulary), options);
    else if (!isAsManaged(current, wanted, vocabulary)) {
      const target = { type, namespace: '', name, subresource: '' };
      const change = (now: unknown) => asManaged(now as APIService | undefined, wanted, vocabulary);
      await registry.update(target, change, options);
    }
  } catch (error) {
    // Someone else was faster: whoever was slower looks again.
    if (error instanceof ApiError && (error.code === 409 || error.code === 404)) throw new NotYet();
    throw error;
  }
}
