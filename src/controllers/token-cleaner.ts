import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import type { Timer } from '../runtime/runtime.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'token-cleaner';
/** Timers cannot be set for later than this. */
const LONGEST_MS = 2 ** 31 - 1;

/** Removes tokens with which machines join once their time has come. */
export function startTokenCleaner(parts: ControllerParts): Controller {
  const { runtime, vocabulary } = parts;
  const timers = new Map<string, Timer>();
  const queue = new WorkQueue({
    runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => clean(parts, name, lookLater),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  function lookLater(name: string, milliseconds: number): void {
    timers.get(name)?.cancel();
    timers.set(
      name,
      runtime.after(Math.min(milliseconds, LONGEST_MS), () => queue.add(name)),
    );
  }
  const subscription = parts.informer.follow(
    { group: '', plural: 'secrets', mentions: vocabulary.secretTypes.bootstrapToken },
    {
      onSet(object: ApiObject) {
        const secret = readBootstrapSecret(object, vocabulary);
        if (secret) queue.add(secret.name);
      },
      onRemove({ metadata: { namespace, name = '' } }) {
        if (namespace !== vocabulary.namespaces.system) return;
        timers.get(name)?.cancel();
        timers.delete(name);
      },
    },
  );
  return {
    close() {
      subscription.close();
      for (const timer of timers.values()) timer.cancel();
      return queue.close();
    },
  };
}

async function clean(
  parts: ControllerParts,
  name: string,
  lookLater: (name: string, milliseconds: number) => void,
): Promise<void> {
  const type = servedType(parts, '', 'secrets');
  const { system } = parts.vocabulary.namespaces;
  const stored = parts.objects.get(type, system, name);
  const secret = stored && readBootstrapSecret(stored, parts.vocabulary);
  if (secret?.expires === undefined) return;
  const left = secret.expires - parts.runtime.now();
  if (left > 0) {
    lookLater(name, left);
    return;
  }
  try {
    const preconditions = { uid: secret.uid };
    await parts.registry.delete(type, system, name, { ...identityOf(parts, NAME), preconditions });
  } catch (error) {
    // Gone, or another one by now, which will be looked at by itself.
    if (!(error instanceof ApiError && ['NotFound', 'Conflict'].includes(error.reason))) throw error;
  }
}
