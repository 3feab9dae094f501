import { notFound } from '../../api/errors.ts';
import { nodeNameOf } from '../../api/user.ts';
import { TokenRequest } from '../../kinds/authentication/v1/token-request.ts';
import { Lease } from '../../kinds/coordination/lease.ts';
import { ServiceAccount } from '../../kinds/core/config/service-account.ts';
import { Node } from '../../kinds/core/node/node.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import { CSINode } from '../../kinds/storage/v1/csi-node.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Act, AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type CreateRequest, isOf, onAny, onKind, onPosted, onSubresource, type UpdateRequest } from '../rule.ts';
import { checkMirrorPod } from './mirror-pods.ts';
import { checkNodeCreate, checkNodeUpdate, demandItself } from './own-object.ts';

const PODS = { group: '', plural: 'pods' };

/**
 * Nodes write only what is theirs: themselves, the pods they run, their lease, what they know of volumes, and tokens for
 * their pods. Whoever is no node is not concerned.
 */
export const nodeRestriction = (objects: Objects, vocabulary: Vocabulary): AdmissionPlugin => ({
  rules: [
    ...podRules(objects, vocabulary),
    onKind(Node).mutate({
      create: forNodes((request, node) => checkNodeCreate(request, node, vocabulary)),
      update: forNodes((request, node) => checkNodeUpdate(request, node, vocabulary)),
      delete: forNodes((request, node) => demandItself(request, node, request.name)),
    }),
    onSubresource(Node, 'status').mutate({
      update: forNodes((request, node) => checkNodeUpdate(request, node, vocabulary)),
    }),
    onSubresource(PersistentVolumeClaim, 'status').mutate({ update: forNodes(checkClaim) }),
    onAny((type) => isOf(PersistentVolumeClaim, type)).mutate(everyChange(refuseClaim)),
    onPosted(TokenRequest, ServiceAccount, 'token').mutate({
      create: forNodes((request, node) => checkToken(request, node, objects)),
    }),
    // Whatever else is done about accounts needs a node that says which one it is.
    onAny((type) => isOf(ServiceAccount, type)).mutate(everyChange(() => {})),
    onAny((type) => isOf(Lease, type)).mutate(
      everyChange((request, node) => checkLease(request, node, vocabulary.namespaces.nodeLease)),
    ),
    onAny((type) => isOf(CSINode, type)).mutate(everyChange(checkCsiNode)),
  ],
});

/** Makes a rule that nobody but nodes is held to. */
function forNodes<R extends AdmissionRequest>(check: (request: R, node: string) => void): Act<R> {
  return (request) => {
    const node = nodeNameOf(request.user);
    if (node === undefined) return;
    if (node === '') throw refusal(request, `could not determine node from user "${request.user.name}"`);
    check(request, node);
  };
}

function everyChange(check: (request: AdmissionRequest, node: string) => void) {
  const act = forNodes(check);
  return { write: act, delete: act };
}

function podRules(objects: Objects, vocabulary: Vocabulary): AdmissionPlugin['rules'] {
  const demandStored = (deed: string) =>
    forNodes((request: AdmissionRequest, node) =>
      demandOnNode(request, node, podNamed(objects, request.namespace, request.name), deed),
    );
  return [
    onKind(Pod).mutate({
      create: forNodes((request, node) => checkMirrorPod(request, node, objects, vocabulary)),
      update: forNodes((request, node) => {
        const allowed = `node "${node}" can only create and delete mirror pods`;
        throw refusal(request, `unexpected operation "${request.operation}", ${allowed}`);
      }),
      delete: demandStored('delete pods'),
    }),
    onSubresource(Pod, 'status').mutate({ update: forNodes(checkPodStatus) }),
    onAny((type, subresource) => isOf(Pod, type) && subresource === 'eviction').mutate({
      create: demandStored('evict pods'),
    }),
    onAny((type) => isOf(Pod, type)).mutate(everyChange(refuseSubresource)),
  ];
}

function refuseSubresource(request: AdmissionRequest): void {
  const allowed = "only 'status' and 'eviction' are allowed";
  throw refusal(request, `unexpected pod subresource "${request.subresource}", ${allowed}`);
}

function checkPodStatus(request: UpdateRequest<Pod>, node: string): void {
  const { object, oldObject } = request;
  demandOnNode(request, node, oldObject, 'update pod status for pods');
  if (!sameJson(oldObject.metadata.labels ?? {}, object.metadata.labels ?? {})) {
    throw refusal(request, `node "${node}" cannot update labels through pod status`);
  }
}

/** A token for a node is one that a pod of this node needs, and dies with it. */
function checkToken(request: CreateRequest<TokenRequest>, node: string, objects: Objects): void {
  const { apiVersion, kind, name, uid } = request.object.spec.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) throw refusal(request, 'node requested token not bound to a pod');
  if (!uid) throw refusal(request, 'node requested token with a pod binding without a uid');
  const pod = podNamed(objects, request.namespace, name);
  if (pod.metadata.uid !== uid) {
    throw refusal(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (pod.spec.nodeName !== node) {
    throw refusal(request, 'node requested token bound to a pod scheduled on a different node');
  }
}

function podNamed(objects: Objects, namespace: string, name: string): Pod {
  const pod = objects.get<Pod>(PODS, namespace, name);
  if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
  return pod;
}

function demandOnNode(request: AdmissionRequest, node: string, { spec }: Pod, deed: string): void {
  if (spec.nodeName === node) return;
  throw refusal(request, `node "${node}" can only ${deed} with spec.nodeName set to itself`);
}

/** Of a claim, a node knows how far its volume has grown, and nothing else. */
function checkClaim(request: UpdateRequest<PersistentVolumeClaim>, node: string): void {
  if (sameJson(unchangeable(request.object), unchangeable(request.oldObject))) return;
  throw refusal(
    request,
    `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`,
  );
}

function refuseClaim(request: AdmissionRequest): void {
  throw refusal(request, 'may only update PVC status');
}

function unchangeable({ metadata, spec, status }: PersistentVolumeClaim): object {
  const { resourceVersion: _version, managedFields: _managed, ...kept } = metadata;
  const { capacity: _capacity, conditions: _conditions, ...rest } = status;
  return { kept, spec, rest };
}

const nameOf = ({ name, object }: AdmissionRequest): string => object?.metadata.name ?? name;

function checkLease(request: AdmissionRequest, node: string, namespace: string): void {
  if (request.namespace !== namespace) {
    throw refusal(request, `can only access leases in the "${namespace}" system namespace`);
  }
  if (nameOf(request) !== node) {
    throw refusal(request, 'can only access node lease with the same name as the requesting node');
  }
}

function checkCsiNode(request: AdmissionRequest, node: string): void {
  if (nameOf(request) !== node) {
    throw refusal(request, 'can only access CSINode with the same name as the requesting node');
  }
}
