import type { ResourceName, Target } from '../../client/served-kind.ts';
import { awaitsDependents, FOREGROUND_FINALIZER, ORPHAN_FINALIZER, orphansDependents } from '../../meta/dependents.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object-meta.ts';
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
    this.#unknownKinds = new UnknownKinds(plane.kinds, queue);
    this.#changes = new Changes(plane.client);
    this.#rest = restEveryTurn(plane.runtime);
    this.#ownership = plane.known.followOwnership({
      concerns,
      onSet: (object) => this.#graph.set(object),
      onRemove: (object) => this.#graph.remove(object),
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

  /** Undefined when the object that the node stands for is not there any more, which will be told. */
  async #seen(node: Node, target: Target): Promise<ObjectMeta | undefined> {
    const metadata = await this.#plane.client.findMetadata(target);
    return metadata?.uid === node.uid ? metadata : undefined;
  }

  async #orphan(node: Node, target: Target): Promise<void> {
    await orphanDependents(node, (place) => this.#targetOf(place), this.#plane, this.#changes);
    const seen = await this.#seen(node, target);
    if (seen && orphansDependents(seen)) await this.#changes.removeFinalizer(target, seen, ORPHAN_FINALIZER);
  }

  /** Lets go of an owner that no dependent blocks, and of the owners of one that waits for them in a circle. */
  async #await(node: Node, target: Target): Promise<void> {
    const isBlocked = node.blocking > 0;
    if (isBlocked && !this.#graph.isInCircle(node)) return;
    const seen = await this.#seen(node, target);
    if (!seen || !awaitsDependents(seen)) return;
    if (isBlocked) await this.#changes.unblockOwners(target, seen);
    else await this.#changes.removeFinalizer(target, seen, FOREGROUND_FINALIZER);
  }

  /** Deletes an object that has owners, of which none is there any more or one wants it to be gone. */
  async #collect(node: Node, target: Target): Promise<void> {
    if (!node.owners.some((owner) => this.#isInDoubt(owner, target))) return;
    const seen = await this.#seen(node, target);
    const owners = seen?.ownerReferences ?? [];
    if (!seen || seen.deletionTimestamp || owners.length === 0) return;
    const standings = await this.#standings(node, target, owners);
    const isClear = standings.every((standing) => standing !== 'unknown kind' && standing !== 'namespaced');
    if (isClear) await this.#act(node, target, seen, standings);
    const misplaced = owners.find((owner, at) => isAbsence(standings[at]) && this.#isElsewhere(node, target, owner));
    if (!misplaced) return;
    // Once, whatever comes of it: whether others take events is not what objects are kept for.
    node.isReported = true;
    await reportInvalidOwner(this.#plane, target, node.uid, misplaced);
  }

  async #act(node: Node, target: Target, seen: ObjectMeta, standings: readonly Finding[]): Promise<void> {
    const owners = seen.ownerReferences ?? [];
    const solid = owners.filter((_, at) => standings[at] === 'solid');
    if (solid.length === 0) {
      const isAwaited = standings.includes('awaiting') && node.dependents.size > 0;
      await this.#changes.delete(target, seen, isAwaited ? 'Foreground' : policyOf(seen));
      return;
    }
    if (solid.length < owners.length) await this.#changes.setOwners(target, seen, solid);
    if (!solid.every((owner) => this.isThere(owner, placeOf(target)))) this.#queue.addAfter(node.uid, LOOK_AGAIN_MS);
  }

  #isInDoubt(owner: OwnerReference, target: Target): boolean {
    return this.#graph.find(owner.uid)?.awaitsDependents === true || !this.isThere(owner, placeOf(target));
  }

  #isElsewhere({ isReported }: Node, target: Target, owner: OwnerReference): boolean {
    return !isReported && this.#owners.isElsewhere(owner, placeOf(target));
  }

  /** What has become of each owner. */
  async #standings(node: Node, target: Target, owners: readonly OwnerReference[]): Promise<readonly Finding[]> {
    const standings: Finding[] = [];
    for (const owner of owners) {
      const standing = await this.#owners.standing(owner, placeOf(target));
      if (standing === 'unknown kind') this.#unknownKinds.await(owner, node.uid);
      standings.push(standing);
    }
    return standings;
  }
}

const isAbsence = (finding: Finding | undefined): boolean => finding === 'dangling' || finding === 'namespaced';

const placeOf = ({ kind: { group, plural }, namespace, name }: Target): Place => ({ group, plural, namespace, name });

/** What was asked for the dependents of an object before it was deleted counts. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}
