import type { ResourceName, Target } from '../../client/served-kind.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../meta/dependents.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import type { KnownOwnership, Loop, LoopPlane, LoopQueue, LoopWork } from '../loop.ts';
import { Changes } from './changes.ts';
import { DependentVisits } from './dependent-visits.ts';
import { Graph, type GraphObserver, type Node, type Place } from './graph.ts';
import { reportInvalidOwner } from './invalid-owner-event.ts';
import { orphanDependents } from './orphaning.ts';
import { type Finding, Owners } from './owners.ts';
import { UnknownKinds } from './unknown-kinds.ts';

const WORKERS = 20;
/** When to look again at an owner that is there although nobody said so. */
const LOOK_AGAIN_MS = 30_000;

/** Deletes objects whose owners are all gone, and does what those that are going ask for their dependents. */
export const garbageCollector: Loop = {
  name: 'garbagecollector',
  account: 'generic-garbage-collector',
  workers: WORKERS,
  begin: (plane, queue) => new GarbageCollector(plane, queue),
};

/** Events are many, own nothing and belong to nobody. */
const concerns = ({ plural }: ResourceName): boolean => plural !== 'events';

/** Keys are uids of objects to look at, or ask for a visit to all dependents of one (`DependentVisits`). */
class GarbageCollector implements LoopWork, GraphObserver {
  readonly watches = [];
  readonly #plane: LoopPlane;
  readonly #queue: LoopQueue;
  readonly #graph = new Graph(this);
  readonly #ownership: KnownOwnership;
  readonly #owners: Owners;
  readonly #changes: Changes;
  readonly #visits: DependentVisits;
  readonly #unknownKinds: UnknownKinds;
  readonly #rest: Rest;
  #isClosed = false;

  constructor(plane: LoopPlane, queue: LoopQueue) {
    this.#plane = plane;
    this.#queue = queue;
    this.#visits = new DependentVisits(queue);
    this.#changes = new Changes(plane.client);
    this.#rest = restEveryTurn(plane.runtime);
    this.#unknownKinds = new UnknownKinds(plane.kinds, queue, restEveryTurn(plane.runtime));
    this.#ownership = plane.known.followOwnership({
      concerns,
      onSet: (object) => this.#graph.set(object),
      onRemove: (object) => {
        this.#unknownKinds.forget(object.uid);
        this.#graph.remove(object);
      },
    });
    this.#owners = new Owners(plane, this.#ownership, this.#graph, concerns);
  }

  isThere(reference: OwnerReference, dependent: Place): boolean {
    return this.#owners.isThere(reference, dependent);
  }

  onConcern({ uid }: Node): void {
    this.#queue.add(uid);
  }

  onDependentsConcern(node: Node): void {
    this.#visits.begin(node);
  }

  /** Nothing is done before everything there is has been told: of owners, all dependents count. */
  async handle(key: string): Promise<void> {
    await this.#ownership.whenComplete();
    await this.#rest();
    if (this.#isClosed || this.#visits.goOn(key)) return;
    const node = this.#graph.find(key);
    const target = node?.place && this.#targetOf(node.place);
    if (!node || !target) return;
    if (node.orphansDependents) await this.#orphan(node, target);
    else if (node.awaitsDependents) await this.#await(node, target);
    else if (!node.isGoing) await this.#collect(node, target);
  }

  close(): void {
    this.#isClosed = true;
    this.#ownership.close();
    this.#unknownKinds.close();
  }

  /** Undefined for what cannot be deleted, or is not served at the moment. */
  #targetOf(place: ResourceName & { readonly namespace: string; readonly name: string }): Target | undefined {
    const { kinds } = this.#plane;
    const kind = kinds.find(place);
    return kind?.verbs.includes('delete') ? { kind, namespace: place.namespace, name: place.name } : undefined;
  }

  async #orphan(node: Node, target: Target): Promise<void> {
    await orphanDependents(node, (place) => this.#targetOf(place), this.#changes);
    await this.#letGo(node, target, ORPHAN_FINALIZER);
  }

  /** Lets go of an owner that no dependent blocks, and of the owners of one that waits for them in a circle. */
  async #await(node: Node, target: Target): Promise<void> {
    if (node.blocking === 0) await this.#letGo(node, target, FOREGROUND_FINALIZER);
    else if (node.breaksCircle || this.#graph.isInCircle(node)) await this.#unblockOwners(node, target);
  }

  async #unblockOwners(node: Node, target: Target): Promise<void> {
    node.breaksCircle = true;
    const unblocked = node.owners.map((owner) =>
      owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner,
    );
    await this.#changes.setOwners(target, node, unblocked);
    node.breaksCircle = false;
  }

  async #letGo(node: Node, target: Target, finalizer: string): Promise<void> {
    const seen = await this.#plane.client.findMetadata(target);
    if (seen?.uid !== node.uid || !seen?.deletionTimestamp || !seen.finalizers?.includes(finalizer)) return;
    await this.#changes.removeFinalizer(target, seen, finalizer);
  }

  /** Deletes an object that has owners, of which none is there any more or one wants it to be gone. */
  async #collect(node: Node, target: Target): Promise<void> {
    const { uid, resourceVersion, owners, propagation } = node;
    if (!owners.some((owner) => this.#isInDoubt(owner, target))) return;
    const findings = await this.#findings(node, target, owners);
    const isClear = findings.every((finding) => finding !== 'unknown kind' && finding !== 'namespaced');
    const solid = owners.filter((_, at) => findings[at] === 'solid');
    if (isClear && solid.length === 0) {
      const isAwaited = findings.includes('awaiting') && node.dependents.size > 0;
      await this.#changes.delete(target, { uid, resourceVersion }, isAwaited ? 'Foreground' : propagation);
    } else if (isClear && solid.length < owners.length) {
      await this.#changes.setOwners(target, { uid, resourceVersion }, solid);
    }
    if (!solid.every((owner) => this.isThere(owner, placeOf(target)))) this.#queue.addAfter(uid, LOOK_AGAIN_MS);
    const misplaced = owners.find((owner, at) => isAbsence(findings[at]) && this.#isElsewhere(node, target, owner));
    if (!misplaced) return;
    // Once, whatever comes of it: whether others take events is not what objects are kept for.
    node.isReported = true;
    await reportInvalidOwner(this.#plane, target, uid, misplaced);
  }

  #isInDoubt(owner: OwnerReference, target: Target): boolean {
    return this.#graph.find(owner.uid)?.awaitsDependents === true || !this.isThere(owner, placeOf(target));
  }

  #isElsewhere({ isReported }: Node, target: Target, owner: OwnerReference): boolean {
    return !isReported && this.#owners.isElsewhere(owner, placeOf(target));
  }

  /** What has become of each owner. */
  async #findings(node: Node, target: Target, owners: readonly OwnerReference[]): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    this.#unknownKinds.forget(node.uid);
    for (const owner of owners) {
      const finding = await this.#owners.find(owner, placeOf(target));
      if (finding === 'unknown kind') this.#unknownKinds.await(owner, node.uid);
      findings.push(finding);
    }
    return findings;
  }
}

const isAbsence = (finding: Finding | undefined): boolean => finding === 'dangling' || finding === 'namespaced';

const placeOf = ({ kind: { group, plural }, namespace, name }: Target): Place => ({ group, plural, namespace, name });
