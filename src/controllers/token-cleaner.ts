import type { AnyObject } from '../client/plane-client.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { DueTimes } from './due-times.ts';
import { type Loop, type LoopPlane, servedKind } from './loop.ts';

const SECRETS = { group: '', plural: 'secrets' };

/** Removes tokens with which machines join once their time has come. */
export const tokenCleaner: Loop = {
  name: 'tokencleaner',
  account: 'token-cleaner',
  begin(plane, queue) {
    const { vocabulary } = plane;
    const keysOf = (object: AnyObject): string[] => {
      const secret = readBootstrapSecret(object, vocabulary);
      return secret ? [secret.name] : [];
    };
    const due = new DueTimes(plane.runtime, (name) => queue.add(name));
    return {
      watches: [{ ...SECRETS, mentions: vocabulary.secretTypes.bootstrapToken, onSet: keysOf, onRemove: keysOf }],
      handle: (name) => clean(plane, due, name),
      close: () => due.close(),
    };
  },
};

async function clean(plane: LoopPlane, due: DueTimes, name: string): Promise<void> {
  const { known, client, vocabulary, runtime } = plane;
  const namespace = vocabulary.namespaces.system;
  const stored = known.get(SECRETS, namespace, name);
  const secret = stored && readBootstrapSecret(stored, vocabulary);
  due.forget(name);
  if (secret?.expires === undefined) return;
  if (secret.expires > runtime.now()) due.set(name, secret.expires);
  // One that has been made anew meanwhile is looked at by itself.
  else
    await client.deleteIfThere(
      { kind: servedKind(plane, SECRETS), namespace, name },
      { preconditions: { uid: secret.uid } },
    );
}
