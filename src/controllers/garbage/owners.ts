import type { ServedKind, Target } from '../../client/served-kind.ts';
import { propagationIn, type RemovedObject } from '../../meta/dependents.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import type { KnownOwnership, LoopPlane } from '../loop.ts';
import type { Graph, Place } from './graph.ts';

/**
 * What has become of an owner. `solid`: it is there; `awaiting`: it is there until its dependents are gone; `dangling`: it is
 * not there. Nothing can be said of one of an `unknown kind`, which is not served, nor of a `namespaced` one of a dependent
 * that is in no namespace: then the dependent is left alone.
 */
export type Finding = 'solid' | 'awaiting' | 'dangling' | 'unknown kind' | 'namespaced';

/** Finds out what has become of owners. Nothing is taken for absent that the plane does not say is. */
export class Owners {
  readonly #plane: LoopPlane;
  readonly #ownership: KnownOwnership;
  readonly #graph: Graph;
  readonly #concerns: (kind: ServedKind) => boolean;

  /** `concerns`: whether the removal of objects of this kind is told. */
  constructor(plane: LoopPlane, ownership: KnownOwnership, graph: Graph, concerns: (kind: ServedKind) => boolean) {
    this.#plane = plane;
    this.#ownership = ownership;
    this.#graph = graph;
    this.#concerns = concerns;
  }

  /** Whether an owner is where a reference says by what is known, so that its removal will be told. */
  isThere({ apiVersion, kind, name, uid }: OwnerReference, { namespace }: Place): boolean {
    const owning = this.#plane.kinds.named(apiVersion, kind);
    if (!owning || !this.#concerns(owning) || (owning.namespaced && namespace === '')) return false;
    return this.#ownership.uidOf(owning, owning.namespaced ? namespace : '', name) === uid;
  }

  /** Asks the plane unless the owner is known to be gone, which is for good. */
  async find(reference: OwnerReference, place: Place): Promise<Finding> {
    const owner = this.#graph.find(reference.uid);
    const kind = this.#plane.kinds.named(reference.apiVersion, reference.kind);
    if (!kind) return owner?.gone && isMeant(owner.gone, reference, place) ? 'dangling' : 'unknown kind';
    if (kind.namespaced && place.namespace === '') return 'namespaced';
    const target = targetOf(kind, reference, place);
    if (owner?.gone || owner?.isAbsentFrom(placeName(target))) return 'dangling';
    const found = await this.#plane.client.findMetadata(target);
    if (found?.uid === reference.uid) {
      return found.deletionTimestamp && propagationIn(found) === 'Foreground' ? 'awaiting' : 'solid';
    }
    // Uids are never given again, so it will not be there later either. Who has no owner by now has no node.
    this.#graph.find(reference.uid)?.noteAbsence(placeName(target));
    return 'dangling';
  }

  /** Whether an owner that is not where a reference says is in another namespace. */
  isElsewhere({ apiVersion, kind, name, uid }: OwnerReference, { namespace }: Place): boolean {
    const owning = this.#plane.kinds.named(apiVersion, kind);
    if (!owning?.namespaced || this.#graph.find(uid)?.gone) return false;
    const where = this.#graph.find(uid)?.place?.namespace ?? this.#ownership.namespaceOf(owning, name, uid);
    return where !== undefined && where !== namespace;
  }
}

/** Whether an object that is gone, and its kind with it, is the one that a dependent names. */
function isMeant(gone: RemovedObject, { apiVersion, kind, name }: OwnerReference, { namespace }: Place): boolean {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  const isWithin = gone.namespace === '' || gone.namespace === namespace;
  return gone.group === group && gone.kind === kind && gone.name === name && isWithin;
}

const targetOf = (kind: ServedKind, { name }: OwnerReference, { namespace }: Place): Target => ({
  kind,
  namespace: kind.namespaced ? namespace : '',
  name,
});

const placeName = ({ kind, namespace, name }: Target): string => `${kind.plural}.${kind.group}/${namespace}/${name}`;
