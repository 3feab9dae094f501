import { propagationIn } from '../../meta/dependents.ts';
import { ownershipOf } from '../../registry/facets.ts';
import { identityOf } from '../../registry/keys.ts';
import type { Kind } from '../../registry/kind.ts';
import type { Version } from '../../storage/log/version.ts';
import { located, resourceText, type Search } from './blockers.ts';

/** So many stored objects are looked at between two looks at the clock. */
const BATCH = 64;

/** Objects that name the object as their owner and block its deletion, where that is waited for. */
export async function findDependents(search: Search): Promise<void> {
  const { call, asked, object } = search;
  const { deletionTimestamp } = object.metadata;
  // An object that is going waits for nobody unless its finalizers say so.
  if (deletionTimestamp && propagationIn(object.metadata) === 'Background') return;
  for (const kind of call.catalogue.kinds()) {
    if (kind.collection === undefined) continue;
    // What is in a namespace owns nothing outside of it.
    if (asked.type.namespaced && !kind.storage.namespaced) continue;
    await findIn(search, kind);
  }
}

async function findIn(search: Search, kind: Kind): Promise<void> {
  const { call, asked, rest } = search;
  const type = kind.storage;
  const namespace = asked.type.namespaced ? asked.namespace : '';
  if (call.objects.count(type, namespace) === 0) return;
  if (!(await search.mayList({ type, namespace, name: '' }))) {
    search.notSearched.add(resourceText(kind));
    return;
  }
  const view = call.objects.view(type, namespace);
  while (!view.done) {
    for (const version of view.next(BATCH)) tellIfDependent(search, kind, version);
    call.options.deadline?.check();
    await rest();
  }
}

function tellIfDependent({ call, object, found }: Search, { storage }: Kind, version: Version): void {
  const { uid, deletionTimestamp } = object.metadata;
  const owners = ownershipOf(version)?.owners ?? [];
  const own = owners.find((owner) => owner.uid === uid);
  const propagation = propagationIn(object.metadata);
  if (!own || (propagation !== 'Orphan' && !own.blockOwnerDeletion)) return;
  const { finalizers = [] } = call.objects.once(version).metadata;
  const { namespace, name } = identityOf(storage, version.key);
  found.add({
    type: 'Dependent',
    name,
    message: messageOf(propagation, Boolean(deletionTimestamp), finalizers.length > 0),
    object: located({ type: storage, namespace, name }),
    finalizers,
    certain: Boolean(deletionTimestamp) && owners.length === 1,
  });
}

function messageOf(propagation: string, isGoing: boolean, isHeld: boolean): string {
  if (propagation === 'Orphan') return 'is to lose its owner first; the garbage collector takes the reference away';
  const held = isHeld ? ', and has finalizers itself' : '';
  return isGoing
    ? `has to go first, since it blocks the deletion of its owner${held}`
    : `would have to go first if the deletion were in the foreground${held}`;
}
