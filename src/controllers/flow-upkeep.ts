import { WorkQueue } from '../client/controlling/work-queue.ts';
import { ensure, type FlowObject, mended, type Wanted, wantedObjects } from '../flow/bootstrap/upkeep.ts';
import type { ObjectListener } from '../registry/informer.ts';
import type { Controller, ControllerParts } from './controller.ts';

const NAME = 'flow-upkeep-controller';

const keyOf = (plural: string, name = ''): string => `${plural}/${name}`;

/** Keeps the flow schemas and priority levels that the server starts with: those removed come back, as far as it is told. */
export function startFlowUpkeep(parts: ControllerParts): Controller {
  const { informer, runtime, vocabulary } = parts;
  const wanted = new Map(wantedObjects(vocabulary).map((one) => [keyOf(one.plural, one.object.metadata.name), one]));
  const queue = new WorkQueue({
    runtime,
    meter: parts.queues.of(NAME),
    async handle(key) {
      const one = wanted.get(key);
      if (one) await ensure(parts, one);
    },
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const needsMending = (one: Wanted | undefined, object: FlowObject): boolean =>
    one !== undefined && mended(object, one, vocabulary) !== undefined;
  const listenerFor = (plural: string): ObjectListener => ({
    onSet(object: FlowObject) {
      const key = keyOf(plural, object.metadata.name);
      if (needsMending(wanted.get(key), object)) queue.add(key);
    },
    onRemove: ({ metadata }) => queue.add(keyOf(plural, metadata.name)),
  });
  const subscriptions = [...new Set([...wanted.values()].map(({ plural }) => plural))].map((plural) =>
    informer.follow({ group: vocabulary.groups.flowcontrol, plural }, listenerFor(plural)),
  );
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}
