import { type Client, fromKey, type Input, isRefusal, Pod, ReplicaSet, watching } from 'platform-apiserver/client';

/**
 * Keeps as many pods as each ReplicaSet wants, and counts them in its status. Pods of a set are called by its name and a
 * number, so that an informer which is a moment behind cannot lead to a pod too many: the plane refuses the second of a name.
 */
export async function runReplicas(client: Client, onError: (key: string, error: unknown) => void = console.error) {
  const sets = await client.of(ReplicaSet).informer();
  const pods = await client.of(Pod).informer({ indexes: { owner: (pod) => ownerOf(pod)?.uid } });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = fromKey(key);
    const set = sets.store.get(name, namespace);
    // The plane itself deletes the pods of a set that is gone, because they name it as their owner.
    if (!set || set.metadata.deletionTimestamp) return;
    const there = pods.store.by('owner', set.metadata.uid ?? '').map((pod) => pod.metadata.name ?? '');
    const wanted = Array.from({ length: set.spec.replicas ?? 1 }, (_, number) => `${name}-${number}`);

    const ofNamespace = client.of(Pod).inNamespace(namespace);
    for (const missing of without(wanted, there))
      await ofNamespace.create(podOf(set, missing)).catch(unless('AlreadyExists'));
    for (const surplus of without(there, wanted)) await ofNamespace.delete(surplus).catch(unless('NotFound'));
    if (set.status?.replicas === there.length) return;
    const status = { replicas: there.length };
    await client.of(ReplicaSet).inNamespace(namespace).status.patch(name, { merge: { status } });
  }

  const controller = client.runController({
    // A set is looked at when it changes, and when one of its pods does.
    watches: [watching(sets), watching(pods, keysOfOwner)],
    workers: 4,
    reconcile,
    onError,
  });
  return {
    async close(): Promise<void> {
      await controller.close();
      sets.close();
      pods.close();
    },
  };
}

const ownerOf = ({ metadata }: Pod) =>
  metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'ReplicaSet');

function keysOfOwner(pod: Pod): string[] {
  const owner = ownerOf(pod);
  return owner ? [`${pod.metadata.namespace}/${owner.name}`] : [];
}

function podOf({ apiVersion, metadata, spec }: ReplicaSet, name: string): Input<Pod> {
  const owner = {
    apiVersion,
    kind: 'ReplicaSet',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
  };
  const labels = spec.template?.metadata?.labels ?? {};
  return { metadata: { name, labels, ownerReferences: [owner] }, spec: spec.template?.spec ?? {} };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return names.filter((name) => !excluded.has(name));
}

/** Somebody was faster, perhaps this controller itself a moment ago. */
const unless =
  (reason: 'AlreadyExists' | 'NotFound') =>
  (error: unknown): void => {
    if (!isRefusal(error, reason)) throw error;
  };
