import { notFound } from '../api/errors.ts';
import { nodeNameOf } from '../api/user.ts';
import type { TokenRequest } from '../kinds/authentication/v1/token-request.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import type { PersistentVolumeClaim } from '../kinds/core/volume/persistent-volume-claim.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { sameJson } from '../schema/same-json.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { checkMirrorPod } from './node-mirror-pods.ts';
import { checkOwnNode } from './node-own-object.ts';
import { refusal } from './refusal.ts';

const PODS = { group: '', plural: 'pods' };

/** Why a node may not do what it asks for, thrown; what it may returns. */
type Rule = (request: AdmissionRequest, node: string) => void;

/**
 * Nodes write only what is theirs: themselves, the pods they run, their lease, what they know of volumes, and tokens for
 * their pods. Whoever is no node is not concerned.
 */
export class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
  private readonly objects: Objects;
  private readonly rules: ReadonlyMap<string, Rule>;

  constructor(objects: Objects, vocabulary: Vocabulary) {
    this.objects = objects;
    const { groups, namespaces } = vocabulary;
    this.rules = new Map<string, Rule>([
      ['pods', (request, node) => this.checkPod(request, node, vocabulary)],
      ['nodes', (request, node) => checkOwnNode(request, node, vocabulary)],
      ['persistentvolumeclaims', checkClaim],
      ['serviceaccounts', (request, node) => this.checkToken(request, node)],
      [`leases.${groups.coordination}`, (request, node) => checkLease(request, node, namespaces.nodeLease)],
      [`csinodes.${groups.storage}`, checkCsiNode],
    ]);
  }

  concerns(type: ResourceType): boolean {
    return this.rules.has(placeOf(type));
  }

  mutate(request: MutatingRequest): void {
    const node = nodeNameOf(request.user);
    if (node === undefined) return;
    if (node === '') throw refusal(request, `could not determine node from user "${request.user.name}"`);
    this.rules.get(placeOf(request.type))?.(request, node);
  }

  private checkPod(request: AdmissionRequest, node: string, vocabulary: Vocabulary): void {
    const { operation, subresource, namespace, name } = request;
    if (subresource === 'status') this.checkPodStatus(request, node);
    else if (subresource === 'eviction') demandOnNode(request, node, this.podNamed(namespace, name), 'evict pods');
    else if (subresource !== '') {
      const allowed = "only 'status' and 'eviction' are allowed";
      throw refusal(request, `unexpected pod subresource "${subresource}", ${allowed}`);
    } else if (operation === 'CREATE') checkMirrorPod(request, node, this.objects, vocabulary);
    else if (operation === 'DELETE') demandOnNode(request, node, this.podNamed(namespace, name), 'delete pods');
    else {
      const allowed = `node "${node}" can only create and delete mirror pods`;
      throw refusal(request, `unexpected operation "${operation}", ${allowed}`);
    }
  }

  private checkPodStatus(request: AdmissionRequest, node: string): void {
    const old = request.oldObject as Pod;
    demandOnNode(request, node, old, 'update pod status for pods');
    if (!sameJson(old.metadata.labels ?? {}, request.object?.metadata.labels ?? {})) {
      throw refusal(request, `node "${node}" cannot update labels through pod status`);
    }
  }

  /** A token for a node is one that a pod of this node needs, and dies with it. */
  private checkToken(request: AdmissionRequest, node: string): void {
    if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
    const { boundObjectRef } = (request.object as TokenRequest).spec;
    const { apiVersion, kind, name, uid } = boundObjectRef ?? {};
    if (apiVersion !== 'v1' || kind !== 'Pod' || !name)
      throw refusal(request, 'node requested token not bound to a pod');
    if (!uid) throw refusal(request, 'node requested token with a pod binding without a uid');
    const pod = this.podNamed(request.namespace, name);
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

  private podNamed(namespace: string, name: string): Pod {
    const pod = this.objects.get<Pod>(PODS, namespace, name);
    if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
    return pod;
  }
}

const placeOf = ({ group, plural }: ResourceType): string => (group === '' ? plural : `${plural}.${group}`);

function demandOnNode(request: AdmissionRequest, node: string, { spec }: Pod, deed: string): void {
  if (spec.nodeName === node) return;
  throw refusal(request, `node "${node}" can only ${deed} with spec.nodeName set to itself`);
}

/** Of a claim, a node knows how far its volume has grown, and nothing else. */
function checkClaim(request: AdmissionRequest, node: string): void {
  if (request.subresource !== 'status') throw refusal(request, 'may only update PVC status');
  const claim = request.object as PersistentVolumeClaim;
  const old = request.oldObject as PersistentVolumeClaim;
  if (!sameJson(unchangeable(claim), unchangeable(old))) {
    throw refusal(
      request,
      `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`,
    );
  }
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
