import { notFound } from '../../api/errors.ts';
import type { Node } from '../../kinds/core/node/node.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { referencesOf } from '../../kinds/core/pod/pod-references.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { refusal } from '../refusal.ts';
import type { CreateRequest } from '../rule.ts';

const NODES = { group: '', plural: 'nodes' };

/**
 * Nodes create pods only to show what they run by themselves: bound to the node, owned by it, and naming nothing that the
 * node would then be allowed to read.
 */
export function checkMirrorPod(
  request: CreateRequest<Pod>,
  node: string,
  objects: Objects,
  { annotations }: Vocabulary,
): void {
  const { object: pod } = request;
  if (!Object.hasOwn(pod.metadata.annotations ?? {}, annotations.configMirror)) {
    throw refusal(
      request,
      `pod does not have "${annotations.configMirror}" annotation, node "${node}" can only create mirror pods`,
    );
  }
  if (pod.spec.nodeName !== node) {
    throw refusal(request, `node "${node}" can only create pods with spec.nodeName set to itself`);
  }
  checkOwner(request, node, objects, pod.metadata.ownerReferences ?? []);
  checkReferences(request, node, pod);
}

function checkOwner(
  request: CreateRequest<Pod>,
  node: string,
  objects: Objects,
  [owner, ...more]: readonly OwnerReference[],
): void {
  if (more.length > 0) {
    throw refusal(request, `node "${node}" can only create pods with a single owner reference set to itself`);
  }
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw refusal(request, `node "${node}" can only create pods with an owner reference set to itself`);
  }
  if (!owner.controller) {
    throw refusal(request, `node "${node}" can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion) {
    throw refusal(request, `node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const stored = objects.get<Node>(NODES, '', node);
  if (!stored) throw notFound({ group: '', resource: 'nodes' }, node);
  if (stored.metadata.uid !== owner.uid) {
    throw refusal(request, `node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`);
  }
}

const WORDS = {
  serviceaccounts: 'a service account',
  secrets: 'secrets',
  configmaps: 'configmaps',
  persistentvolumeclaims: 'persistentvolumeclaims',
} as const;

function checkReferences(request: CreateRequest<Pod>, node: string, pod: Pod): void {
  const [first] = referencesOf(pod);
  if (first) throw refusal(request, `node "${node}" can not create pods that reference ${WORDS[first.plural]}`);
}
