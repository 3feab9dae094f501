import { ApiError } from '../api/errors.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

/** What every active namespace has: an account for its pods, and the authority by which they know the server. */
interface Content {
  readonly controller: string;
  readonly plural: string;
  readonly name: string;
  readonly object: object;
}

/** Puts back what every namespace should have, when the namespace is new and when it was deleted or changed. */
export function startNamespaceContent(parts: ControllerParts): Controller {
  const contents: readonly Content[] = [
    { controller: 'service-account-controller', plural: 'serviceaccounts', name: 'default', object: {} },
    {
      controller: 'root-ca-cert-publisher',
      plural: 'configmaps',
      name: parts.vocabulary.wellKnown.rootCaConfigMap,
      object: {
        metadata: {
          annotations: {
            [parts.vocabulary.annotations.description]:
              'Holds the authority by which clients inside the plane can verify the server.',
          },
        },
        data: { 'ca.crt': parts.rootCa },
      },
    },
  ];
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of('namespace-content'),
    handle: (namespace) => ensureAll(parts, contents, namespace),
    onError: (key, error) => parts.onError('namespace-content', key, error),
  });
  const subscriptions = [
    parts.informer.follow(
      { group: '', plural: 'namespaces' },
      {
        onSet: ({ metadata }) => metadata.deletionTimestamp || queue.add(metadata.name ?? ''),
        onRemove: () => {},
      },
    ),
    ...contents.map(({ plural, name }) =>
      parts.informer.follow(
        { group: '', plural, name },
        {
          onSet: () => {},
          onRemove: ({ metadata }) => queue.add(metadata.namespace ?? ''),
        },
      ),
    ),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

async function ensureAll(parts: ControllerParts, contents: readonly Content[], namespace: string): Promise<void> {
  await Promise.all(contents.map((content) => ensure(parts, content, namespace)));
}

async function ensure(parts: ControllerParts, content: Content, namespace: string): Promise<void> {
  const type = servedType(parts, '', content.plural);
  if (parts.objects.has(type, namespace, content.name)) return;
  const base = content.object as { metadata?: object };
  const object = { ...base, metadata: { ...base.metadata, name: content.name } };
  try {
    await parts.registry.create(type, namespace, object, identityOf(parts, content.controller));
  } catch (error) {
    // Another was faster, or the namespace is going or gone: there is nothing left to do.
    if (!(error instanceof ApiError) || !['AlreadyExists', 'NotFound', 'Forbidden'].includes(error.reason)) throw error;
  }
}
