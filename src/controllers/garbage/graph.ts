import type { ResourceName } from '../../client/served-kind.ts';
import type { OwnedObject, Propagation, RemovedObject } from '../../meta/dependents.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';

/** Where an object is. */
export interface Place extends ResourceName {
  readonly namespace: string;
  readonly name: string;
}

/** An object that has owners or dependents, or is going with something to be done about its dependents. */
export class Node {
  readonly uid: string;
  /** Undefined when all that is known of it is that dependents name it as an owner: a virtual node. */
  place: Place | undefined;
  resourceVersion = '';
  owners: readonly OwnerReference[] = [];
  isGoing = false;
  /** What its finalizers say of its dependents. */
  propagation: Propagation = 'Background';
  /** What it was, once it is gone, which is for good. It stays in the graph for as long as it has dependents. */
  gone: RemovedObject | undefined;
  /** How many of its dependents block it. */
  blocking = 0;
  /** Its owners are being told not to wait for it, because it waits for them: the circle is broken here and nowhere else. */
  breaksCircle = false;
  /** Whether an event was made about an owner of another namespace. */
  isReported = false;
  /** Most nodes have none, and no set for them. */
  #dependents: Set<Node> | undefined;
  /** Places that references give for it, and where it was found not to be. */
  #absentFrom: Set<string> | undefined;

  constructor(uid: string) {
    this.uid = uid;
  }

  /** It is going, and stays until its dependents have lost it as their owner. */
  get orphansDependents(): boolean {
    return this.isGoing && this.propagation === 'Orphan';
  }

  /** It is going, and stays until the dependents that block it are gone. */
  get awaitsDependents(): boolean {
    return this.isGoing && this.propagation === 'Foreground';
  }

  get dependents(): ReadonlySet<Node> {
    return this.#dependents ?? NONE;
  }

  add(dependent: Node): void {
    this.#dependents ??= new Set();
    this.#dependents.add(dependent);
  }

  drop(dependent: Node): void {
    this.#dependents?.delete(dependent);
    if (this.#dependents?.size === 0) this.#dependents = undefined;
  }

  noteAbsence(place: string): void {
    this.#absentFrom ??= new Set();
    this.#absentFrom.add(place);
  }

  isAbsentFrom(place: string): boolean {
    return this.#absentFrom?.has(place) ?? false;
  }
}

const NONE: ReadonlySet<Node> = new Set();

/** What the graph asks, and what it says is to be looked at. */
export interface GraphObserver {
  /** Whether the owner is known to be where the reference says. False also when that is not known. */
  isThere(reference: OwnerReference, dependent: Place): boolean;
  /** Something about the object may have to be done. */
  onConcern(node: Node): void;
  /** Something about every dependent of the object may have to be done. */
  onDependentsConcern(node: Node): void;
}

/**
 * Who belongs to whom, by uid, as far as it is known. It holds nothing of objects that have neither owners nor dependents
 * nor anything to do about them.
 */
export class Graph {
  readonly #observer: GraphObserver;
  readonly #nodes = new Map<string, Node>();

  constructor(observer: GraphObserver) {
    this.#observer = observer;
  }

  get size(): number {
    return this.#nodes.size;
  }

  find(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** An object is there, or has changed. */
  set(object: OwnedObject): void {
    const { uid, group, plural, namespace, name } = object;
    const node = this.#node(uid);
    const place = { group, plural, namespace, name };
    const awaited = node.awaitsDependents;
    node.place = place;
    node.resourceVersion = object.resourceVersion;
    node.isGoing = object.isGoing;
    node.propagation = object.propagation;
    this.#setOwners(node, object.owners);
    if (node.awaitsDependents && !awaited && node.dependents.size > 0) this.#observer.onDependentsConcern(node);
    if (this.#isConcerned(node, place)) this.#observer.onConcern(node);
    this.#forgetIfIdle(node);
  }

  /** An object is gone. */
  remove(object: RemovedObject): void {
    const node = this.#nodes.get(object.uid);
    if (!node) return;
    node.gone = object;
    node.place = undefined;
    node.isGoing = false;
    this.#setOwners(node, []);
    if (node.dependents.size > 0) this.#observer.onDependentsConcern(node);
    this.#forgetIfIdle(node);
  }

  /** Whether an owner waits for the node although it, directly or through others that wait, waits for that owner. */
  isInCircle(node: Node): boolean {
    const seen = new Set<Node>();
    const open = this.#awaitingOwners(node);
    for (let owner = open.pop(); owner; owner = open.pop()) {
      if (owner === node) return true;
      if (seen.has(owner)) continue;
      seen.add(owner);
      for (const further of this.#awaitingOwners(owner)) open.push(further);
    }
    return false;
  }

  /** Owners that wait until the node is gone. */
  #awaitingOwners(node: Node): Node[] {
    if (node.breaksCircle) return [];
    const blocked = node.owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion);
    return blocked.flatMap(({ uid }) => {
      const owner = this.#nodes.get(uid);
      return owner?.awaitsDependents ? owner : [];
    });
  }

  /** Whether something is to be done about its dependents, or one of its owners may be missing or wants it to be gone. */
  #isConcerned(node: Node, place: Place): boolean {
    if (node.isGoing) return node.awaitsDependents || node.orphansDependents;
    return node.owners.some((reference) => {
      const owner = this.#nodes.get(reference.uid);
      return owner?.awaitsDependents || !this.#observer.isThere(reference, place);
    });
  }

  #node(uid: string): Node {
    const known = this.#nodes.get(uid);
    if (known) return known;
    const node = new Node(uid);
    this.#nodes.set(uid, node);
    return node;
  }

  #setOwners(node: Node, owners: readonly OwnerReference[]): void {
    const [before, after] = [blockingByUid(node.owners), blockingByUid(owners)];
    node.owners = owners;
    for (const [uid, blocks] of after) this.#attach(node, this.#node(uid), blocks, before.get(uid));
    for (const [uid, blocked] of before) if (!after.has(uid)) this.#detach(node, uid, blocked);
  }

  #attach(node: Node, owner: Node, blocks: boolean, blocked: boolean | undefined): void {
    if (blocked === undefined) owner.add(node);
    this.#count(owner, Number(blocks) - Number(blocked ?? false));
  }

  #detach(node: Node, uid: string, blocked: boolean): void {
    const owner = this.#nodes.get(uid);
    if (!owner) return;
    owner.drop(node);
    this.#count(owner, -Number(blocked));
    this.#forgetIfIdle(owner);
  }

  #count(owner: Node, more: number): void {
    owner.blocking += more;
    if (more < 0 && owner.blocking === 0 && owner.awaitsDependents) this.#observer.onConcern(owner);
  }

  #forgetIfIdle(node: Node): void {
    const { owners, dependents, awaitsDependents, orphansDependents } = node;
    if (owners.length === 0 && dependents.size === 0 && !awaitsDependents && !orphansDependents) {
      this.#nodes.delete(node.uid);
    }
  }
}

/** Each owner once, and whether it is to wait for the dependent. */
function blockingByUid(owners: readonly OwnerReference[]): Map<string, boolean> {
  const blocking = new Map<string, boolean>();
  for (const { uid, blockOwnerDeletion = false } of owners) {
    blocking.set(uid, Boolean(blockOwnerDeletion) || (blocking.get(uid) ?? false));
  }
  return blocking;
}
