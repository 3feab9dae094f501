import { unless } from '../../client/plane-client.ts';
import { apiVersionOfKind, type Target } from '../../client/served-kind.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import { formatTime } from '../../schema/time.ts';
import { type LoopPlane, servedKind } from '../loop.ts';

const EVENTS = { group: '', plural: 'events' };
/** Where events about objects of no namespace are. */
const DEFAULT_NAMESPACE = 'default';

/** Tells whoever looks after an object that it names an owner which cannot own it, being of another namespace. */
export async function reportInvalidOwner(
  plane: LoopPlane,
  { kind, namespace, name }: Target,
  uid: string,
  owner: OwnerReference,
): Promise<void> {
  const { runtime, client } = plane;
  const within = namespace === '' ? DEFAULT_NAMESPACE : namespace;
  const now = formatTime(runtime.now());
  const named = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const event = {
    metadata: { namespace: within, name: `${name}.${runtime.bytes(8).toString('hex')}` },
    involvedObject: { kind: kind.kind, apiVersion: apiVersionOfKind(kind), namespace, name, uid },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${named} does not exist in namespace "${namespace}"`,
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  // A namespace that is going takes none, nor does one that is gone: then there is nobody left to tell.
  await client.create(servedKind(plane, EVENTS), within, event).catch(unless('Forbidden', 'NotFound'));
}
