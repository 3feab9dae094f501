import type { Namespace } from '../kinds/core/namespace/namespace.ts';
import { deleteMany } from '../registry/delete-many.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import type { WriteOptions } from '../registry/write.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { NotYet, WorkQueue } from './work-queue.ts';

const NAME = 'namespace-controller';

/** Empties namespaces that are going, then lets them go. */
export function startNamespaceDeletion(parts: ControllerParts): Controller {
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => finish(parts, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const subscription = parts.informer.follow(
    { group: '', plural: 'namespaces' },
    {
      onSet({ metadata }) {
        if (metadata.deletionTimestamp) queue.add(metadata.name ?? '');
      },
      onRemove: () => {},
    },
  );
  return {
    close() {
      subscription.close();
      return queue.close();
    },
  };
}

async function finish(parts: ControllerParts, name: string): Promise<void> {
  const type = servedType(parts, '', 'namespaces');
  if (!parts.objects.get(type, '', name)?.metadata.deletionTimestamp) return;
  const options = identityOf(parts, NAME);
  await removeContent(parts, name, options);
  if (contentTypes(parts).some((content) => parts.objects.count(content, name) > 0)) throw new NotYet();
  await parts.registry.update(
    { type, namespace: name, name, subresource: 'finalize' },
    (current) => current && withoutFinalizer(current as Namespace, parts.vocabulary.finalizers.namespace),
    options,
  );
}

/** Everything that lives in namespaces and can be deleted, each stored kind once. */
const contentTypes = ({ catalogue }: ControllerParts): ResourceType[] =>
  [...catalogue.kinds()]
    .map(({ storage }) => storage)
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete') && verbs.includes('list'));

async function removeContent(parts: ControllerParts, namespace: string, options: WriteOptions): Promise<void> {
  const { objects } = parts;
  for (const type of contentTypes(parts)) {
    const deletion = { ...options, gracePeriodSeconds: 0, propagationPolicy: 'Background' } as const;
    await deleteMany(parts, type, objects.view(type, namespace), deletion, 'go on');
  }
}

function withoutFinalizer(namespace: Namespace, finalizer: string): ApiObject {
  const finalizers = (namespace.spec.finalizers ?? []).filter((one) => one !== finalizer);
  const changed: Namespace = { ...namespace, spec: { ...namespace.spec, finalizers } };
  return changed;
}
