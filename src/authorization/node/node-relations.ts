import type { Pod } from '../../kinds/core/pod/pod.ts';
import { type PodReference, referencesOf } from '../../kinds/core/pod/pod-references.ts';
import type { PersistentVolume } from '../../kinds/core/volume/persistent-volume.ts';
import type { VolumeAttachment } from '../../kinds/storage/v1/volume-attachment.ts';
import { secretsOfVolume } from './volume-secrets.ts';

/** What a pod was last known to give to its node. */
interface KnownPod {
  readonly uid: string;
  readonly node: string;
  readonly ephemeralContainers: number;
  readonly objects: readonly string[];
}

interface KnownVolume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** Parts contain no slash. */
const keyOf = (plural: PodReference['plural'], namespace: string, name: string): string =>
  `${plural}/${namespace}/${name}`;

/**
 * Which objects belong to which node: those that its pods name, volumes whose claims its pods name, secrets of such
 * volumes, and its attachments. Kept by node, so that a question costs the same however many pods use an object.
 */
export class NodeRelations {
  readonly #mirrorAnnotation: string;
  readonly #pods = new Map<string, KnownPod>();
  /** Of each node, the objects that its pods name, and how often. */
  readonly #named = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, KnownVolume>();
  readonly #volumesBySecret = new Map<string, Set<string>>();
  readonly #attachments = new Map<string, string>();

  /** `mirrorAnnotation`: what marks a pod that stands for one which a node runs by itself. */
  constructor(mirrorAnnotation: string) {
    this.#mirrorAnnotation = mirrorAnnotation;
  }

  setPod(pod: Pod): void {
    const { namespace = '', name = '', uid = '', annotations } = pod.metadata;
    const { nodeName: node = '' } = pod.spec;
    const ephemeralContainers = pod.spec.ephemeralContainers?.length ?? 0;
    const known = this.#pods.get(`${namespace}/${name}`);
    // What else a pod names cannot change once it is there.
    if (known?.uid === uid && known.node === node && known.ephemeralContainers === ephemeralContainers) return;
    this.removePod(namespace, name);
    // A node may make mirror pods itself: it would choose what it may read.
    if (node === '' || (annotations && Object.hasOwn(annotations, this.#mirrorAnnotation))) return;
    const objects = referencesOf(pod).map((reference) => keyOf(reference.plural, namespace, reference.name));
    this.#pods.set(`${namespace}/${name}`, { uid, node, ephemeralContainers, objects });
    const counts = this.#named.get(node) ?? new Map<string, number>();
    this.#named.set(node, counts);
    for (const key of objects) counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  removePod(namespace: string, name: string): void {
    const pod = this.#pods.get(`${namespace}/${name}`);
    const counts = pod && this.#named.get(pod.node);
    if (!counts) return;
    this.#pods.delete(`${namespace}/${name}`);
    for (const key of pod.objects) {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
    if (counts.size === 0) this.#named.delete(pod.node);
  }

  setVolume(volume: PersistentVolume): void {
    const { name = '' } = volume.metadata;
    this.removeVolume(name);
    const { claimRef } = volume.spec;
    if (!claimRef) return;
    const claim = keyOf('persistentvolumeclaims', claimRef.namespace ?? '', claimRef.name ?? '');
    const secrets = secretsOfVolume(volume).map((secret) => keyOf('secrets', secret.namespace, secret.name));
    this.#volumes.set(name, { claim, secrets });
    for (const secret of secrets) {
      const users = this.#volumesBySecret.get(secret) ?? new Set<string>();
      this.#volumesBySecret.set(secret, users.add(name));
    }
  }

  removeVolume(name: string): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const users = this.#volumesBySecret.get(secret);
      users?.delete(name);
      if (users?.size === 0) this.#volumesBySecret.delete(secret);
    }
    this.#volumes.delete(name);
  }

  setAttachment({ metadata, spec }: VolumeAttachment): void {
    this.#attachments.set(metadata.name ?? '', spec.nodeName);
  }

  removeAttachment(name: string): void {
    this.#attachments.delete(name);
  }

  /** Every node that something belongs to; some more than once. */
  *nodes(): Generator<string> {
    yield* this.#named.keys();
    yield* this.#attachments.values();
  }

  /** Whether a pod on the node names the object, or, of a secret, a volume does that such a pod uses. */
  reaches(node: string, plural: PodReference['plural'], namespace: string, name: string): boolean {
    const key = keyOf(plural, namespace, name);
    if (this.#named.get(node)?.has(key)) return true;
    for (const volume of this.#volumesBySecret.get(key) ?? []) {
      if (this.reachesVolume(node, volume)) return true;
    }
    return false;
  }

  /** Whether a pod on the node uses the claim that the volume is bound to. */
  reachesVolume(node: string, volume: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && (this.#named.get(node)?.has(claim) ?? false);
  }

  hasAttachment(node: string, attachment: string): boolean {
    return this.#attachments.get(attachment) === node;
  }
}
