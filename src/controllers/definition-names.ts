import { ApiError } from '../api/errors.ts';
import { WorkQueue } from '../client/controlling/work-queue.ts';
import { isTrue } from '../extension/definitions/conditions.ts';
import { statusOf } from '../extension/definitions/definition-status.ts';
import { UsedNames } from '../extension/definitions/used-names.ts';
import type { CustomResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.ts';
import { formatTime } from '../schema/time.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';

const NAME = 'definition-names';
const PLURAL = 'customresourcedefinitions';

/** Accepts the names of definitions, and with them the definitions: from then on they are served. */
export function startDefinitionNames(parts: ControllerParts): Controller {
  const used = new UsedNames(parts.builtInNames);
  const waiting = new WaitingDefinitions();
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => update(parts, used, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const subscription = parts.informer.follow(
    { group: parts.vocabulary.groups.apiextensions, plural: PLURAL },
    {
      onSet(definition: CustomResourceDefinition) {
        const hasGivenUp = used.note(definition);
        waiting.note(definition);
        // Of thousands that are there at start nearly all are as they should be, and need not be read again.
        if (!isSettled(parts, used, definition)) queue.add(definition.metadata.name ?? '');
        if (hasGivenUp) for (const other of waiting.in(definition.spec.group)) queue.add(other);
      },
      onRemove(definition: CustomResourceDefinition) {
        const { name = '' } = definition.metadata;
        used.forget(name);
        waiting.forget(definition);
        for (const other of waiting.in(definition.spec.group)) queue.add(other);
      },
    },
  );
  return {
    close() {
      subscription.close();
      return queue.close();
    },
  };
}

/** Definitions that want names which others have, by group. */
class WaitingDefinitions {
  readonly #byGroup = new Map<string, Set<string>>();

  note(definition: CustomResourceDefinition): void {
    this.forget(definition);
    if (isTrue(definition, 'NamesAccepted')) return;
    const { group } = definition.spec;
    this.#byGroup.set(group, this.in(group).add(definition.metadata.name ?? ''));
  }

  forget({ metadata, spec }: CustomResourceDefinition): void {
    const names = this.#byGroup.get(spec.group);
    names?.delete(metadata.name ?? '');
    if (names?.size === 0) this.#byGroup.delete(spec.group);
  }

  in(group: string): Set<string> {
    return this.#byGroup.get(group) ?? new Set();
  }
}

/** What the status of a definition should be, by the names that are used at this moment. */
const statusNow = ({ vocabulary, runtime }: ControllerParts, used: UsedNames, definition: CustomResourceDefinition) =>
  statusOf(definition, { used, vocabulary, now: formatTime(runtime.now()) });

const isSettled = (parts: ControllerParts, used: UsedNames, definition: CustomResourceDefinition): boolean =>
  sameStatus(statusNow(parts, used, definition), definition.status);

async function update(parts: ControllerParts, used: UsedNames, name: string): Promise<void> {
  const { objects, registry, vocabulary } = parts;
  const type = servedType(parts, vocabulary.groups.apiextensions, PLURAL);
  const known = objects.get<CustomResourceDefinition>(type, '', name);
  if (!known || isSettled(parts, used, known)) return;
  try {
    const { object } = await registry.update(
      { type, namespace: '', name, subresource: 'status' },
      (current) => {
        const definition = current as CustomResourceDefinition | undefined;
        return definition && { ...definition, status: statusNow(parts, used, definition) };
      },
      identityOf(parts, NAME),
    );
    // Whatever is looked at next must find these names taken.
    used.note(object as CustomResourceDefinition);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

type Status = CustomResourceDefinition['status'];

const sameStatus = (one: Status, other: Status): boolean => JSON.stringify(one) === JSON.stringify(other);
