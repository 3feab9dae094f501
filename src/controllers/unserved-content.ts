import { WorkQueue } from '../client/controlling/work-queue.ts';
import { deleteMany } from '../registry/delete-many.ts';
import type { Kind } from '../registry/kind.ts';
import { type Controller, type ControllerParts, identityOf } from './controller.ts';

const NAME = 'unserved-content';

/**
 * Removes what going namespaces hold of kinds that are not served. Nobody can ask for it, so nobody but the server itself
 * can: it would be there again, in a namespace of another, when the kind is served again.
 */
export function startUnservedContent(parts: ControllerParts): Controller {
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (namespace) => removeFrom(parts, namespace),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const look = ({ metadata }: { readonly metadata: { readonly name?: string } }): void => {
    if (unservedKinds(parts).some(({ storage }) => parts.objects.count(storage, metadata.name) > 0)) {
      queue.add(metadata.name ?? '');
    }
  };
  const followed = { group: '', plural: 'namespaces', mentions: '"deletionTimestamp"' };
  const subscription = parts.informer.follow(followed, { onSet: look, onRemove: look });
  return {
    close() {
      subscription.close();
      return queue.close();
    },
  };
}

const unservedKinds = ({ catalogue }: ControllerParts): Kind[] =>
  [...catalogue.kinds()].filter(
    ({ served, storage, collection }) => served.length === 0 && collection !== undefined && storage.namespaced,
  );

async function removeFrom(parts: ControllerParts, namespace: string): Promise<void> {
  const deletion = { ...identityOf(parts, NAME), gracePeriodSeconds: 0, propagationPolicy: 'Background' } as const;
  for (const { storage } of unservedKinds(parts)) {
    await deleteMany(parts, storage, parts.objects.view(storage, namespace), deletion, 'go on');
  }
}
