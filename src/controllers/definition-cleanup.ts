import { ApiError } from '../api/errors.ts';
import { NotYet, WorkQueue } from '../client/controlling/work-queue.ts';
import { type Finding, isTrue, withCondition, withConditions } from '../extension/definitions/conditions.ts';
import type { CustomResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.ts';
import { deleteMany } from '../registry/delete-many.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { formatTime } from '../schema/time.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { isGoing, withoutFinalizer } from './finalizer-removal.ts';

const NAME = 'definition-cleanup';
const PLURAL = 'customresourcedefinitions';
/** What every definition says that is going. There may be thousands that are not, and those need not be read. */
const MENTIONED = '"deletionTimestamp":';

const terminating = (status: 'True' | 'False', reason: string, message: string): Finding => ({
  type: 'Terminating',
  status,
  reason,
  message,
});

const IN_PROGRESS = terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
const COMPLETED = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
const NEVER_SERVED = terminating('False', 'NeverEstablished', 'resource was never established');

/**
 * Removes the objects of definitions that are going, then lets the definitions go. Whatever was begun by a server that is
 * no more is gone on with: what is to be done can be told from what is stored.
 */
export function startDefinitionCleanup(parts: ControllerParts): Controller {
  const { customResourceCleanup } = parts.vocabulary.finalizers;
  const contents = new FollowedContents(parts, (name) => queue.add(name));
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => finish(parts, contents, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const subscription = parts.informer.follow(
    { group: parts.vocabulary.groups.apiextensions, plural: PLURAL, mentions: MENTIONED },
    {
      onSet(definition) {
        if (isGoing(definition, customResourceCleanup)) queue.add(definition.metadata.name ?? '');
      },
      onRemove: ({ metadata }) => contents.forget(metadata.name ?? ''),
    },
  );
  return {
    close() {
      subscription.close();
      contents.close();
      return queue.close();
    },
  };
}

/** Objects that hold their definition up: when one of them is gone, the definition is looked at again. */
class FollowedContents {
  readonly #parts: ControllerParts;
  readonly #onRemoved: (definition: string) => void;
  readonly #followed = new Map<string, { close(): void }>();

  constructor(parts: ControllerParts, onRemoved: (definition: string) => void) {
    this.#parts = parts;
    this.#onRemoved = onRemoved;
  }

  follow(definition: string, { group, plural }: ResourceType): void {
    if (this.#followed.has(definition)) return;
    const listener = { onRemove: () => this.#onRemoved(definition) };
    this.#followed.set(definition, this.#parts.informer.follow({ group, plural }, listener));
  }

  forget(definition: string): void {
    this.#followed.get(definition)?.close();
    this.#followed.delete(definition);
  }

  close(): void {
    for (const name of [...this.#followed.keys()]) this.forget(name);
  }
}

async function finish(parts: ControllerParts, contents: FollowedContents, name: string): Promise<void> {
  const { apiextensions } = parts.vocabulary.groups;
  const { customResourceCleanup } = parts.vocabulary.finalizers;
  const type = servedType(parts, apiextensions, PLURAL);
  const definition = parts.objects.get<CustomResourceDefinition>(type, '', name);
  if (!definition || !isGoing(definition, customResourceCleanup)) return;
  try {
    if (isTrue(definition, 'Established')) {
      await note(parts, type, name, IN_PROGRESS);
      await removeObjects(parts, contents, definition);
      await note(parts, type, name, COMPLETED);
    } else await note(parts, type, name, NEVER_SERVED);
    await parts.registry.update(
      { type, namespace: '', name, subresource: '' },
      // One that was made anew meanwhile is another.
      (current) =>
        current && current.metadata.uid === definition.metadata.uid
          ? withoutFinalizer(current, customResourceCleanup)
          : current,
      identityOf(parts, NAME),
    );
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return;
    throw error;
  }
}

async function note(parts: ControllerParts, type: ResourceType, name: string, finding: Finding): Promise<void> {
  const now = formatTime(parts.runtime.now());
  await parts.registry.update(
    { type, namespace: '', name, subresource: 'status' },
    (current) => {
      const definition = current as CustomResourceDefinition | undefined;
      if (!definition) return undefined;
      const conditions = withCondition(definition.status.conditions, finding, now);
      return { ...definition, status: withConditions(definition.status, conditions) };
    },
    identityOf(parts, NAME),
  );
}

async function removeObjects(
  parts: ControllerParts,
  contents: FollowedContents,
  { metadata, spec }: CustomResourceDefinition,
): Promise<void> {
  const kind = parts.catalogue.kind({ group: spec.group, plural: spec.names.plural });
  // It is served for as long as the definition is there; until it is, nothing can be said about its objects.
  if (!kind) throw new NotYet();
  const deletion = { ...identityOf(parts, NAME), propagationPolicy: 'Background' } as const;
  await deleteMany(parts, kind.storage, parts.objects.view(kind.storage), deletion, 'go on');
  if (parts.objects.count(kind.storage) === 0) return;
  contents.follow(metadata.name ?? '', kind.storage);
  throw new NotYet();
}
