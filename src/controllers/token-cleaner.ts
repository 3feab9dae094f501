import type { AnyObject } from '../client/plane-client.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { type Loop, type LoopPlane, type LoopQueue, servedKind } from './loop.ts';

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
    return {
      watches: [{ ...SECRETS, mentions: vocabulary.secretTypes.bootstrapToken, onSet: keysOf }],
      handle: (name) => clean(plane, queue, name),
    };
  },
};

async function clean(plane: LoopPlane, queue: LoopQueue, name: string): Promise<void> {
  const { known, client, vocabulary, runtime } = plane;
  const namespace = vocabulary.namespaces.system;
  const stored = known.get(SECRETS, namespace, name);
  const secret = stored && readBootstrapSecret(stored, vocabulary);
  if (secret?.expires === undefined) return;
  const left = secret.expires - runtime.now();
  if (left > 0) queue.addAfter(name, left);
  // One that has been made anew meanwhile is looked at by itself.
  else
    await client.deleteIfThere(
      { kind: servedKind(plane, SECRETS), namespace, name },
      { preconditions: { uid: secret.uid } },
    );
}
