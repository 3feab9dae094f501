import type { AnyObject } from '../../client/plane-client.ts';
import { apiVersionOfKind, type ResourceName, type ServedKind } from '../../client/served-kind.ts';
import type { Scale } from '../../kinds/autoscaling/v1/scale.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PodDisruptionBudget } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import type { APIResourceList } from '../../meta/discovery.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import type { LoopPlane } from '../loop.ts';

/** What of objects with a number of pods matters here. */
interface Scaled extends AnyObject {
  readonly spec: { readonly replicas?: number | null };
}

interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** Controllers whose scale is known without asking. */
const REPLICATION_CONTROLLERS = { group: '', plural: 'replicationcontrollers' };
const DEPLOYMENTS = { group: 'apps', plural: 'deployments' };
const REPLICA_SETS = { group: 'apps', plural: 'replicasets' };
const STATEFUL_SETS = { group: 'apps', plural: 'statefulsets' };
export const CONTROLLERS = [REPLICATION_CONTROLLERS, DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS];

/** How many pods a budget is about, existing or not, and how many of them it wants healthy. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
}

/** Throws why it cannot be found out. */
export async function expectedPods(
  plane: LoopPlane,
  { metadata, spec }: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = spec;
  const namespace = metadata.namespace ?? '';
  if (present(maxUnavailable)) {
    const expected = await totalScale(plane, namespace, pods);
    return { expected, desiredHealthy: Math.max(0, expected - scaled(maxUnavailable, expected)) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, desiredHealthy: minAvailable };
  if (!present(minAvailable)) return { expected: 0, desiredHealthy: 0 };
  const expected = await totalScale(plane, namespace, pods);
  return { expected, desiredHealthy: scaled(minAvailable, expected) };
}

const present = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** A number, or a percentage of all, rounded up. */
function scaled(amount: number | string, all: number): number {
  if (typeof amount === 'number') return amount;
  const [, percent] = /^(\d{1,9})%$/.exec(amount) ?? [];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: ${JSON.stringify(amount)} is no percentage`);
  return Math.ceil((Number(percent) * all) / 100);
}

/** What the controllers of the pods want together. Pods without one add nothing: how many there should be nobody says. */
async function totalScale(plane: LoopPlane, namespace: string, pods: readonly Pod[]): Promise<number> {
  const scales = new Map<string, number>();
  const asked = new Set<string>();
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (!owner || asked.has(owner.uid)) continue;
    const scale = await scaleOf(plane, namespace, owner);
    if (!scale) throw new Error(`found no controllers for pod "${metadata.name}"`);
    asked.add(owner.uid);
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

const controllerOf = ({ ownerReferences }: Pod['metadata']): OwnerReference | undefined =>
  ownerReferences?.find(({ controller }) => controller === true);

async function scaleOf(
  plane: LoopPlane,
  namespace: string,
  owner: OwnerReference,
): Promise<ControllerScale | undefined> {
  const [group = ''] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  if (group === '' && owner.kind === 'ReplicationController') {
    return scaleIn(find(plane, REPLICATION_CONTROLLERS, namespace, owner));
  }
  if (group === 'apps' || group === 'extensions') {
    if (owner.kind === 'ReplicaSet') return scaleOfReplicaSet(plane, namespace, owner);
    if (owner.kind === 'StatefulSet') return scaleIn(find(plane, STATEFUL_SETS, namespace, owner));
  }
  return askForScale(plane, namespace, owner);
}

/** That of its deployment, where it has one: while that is rolled out there are several sets. */
function scaleOfReplicaSet(plane: LoopPlane, namespace: string, owner: OwnerReference): ControllerScale | undefined {
  const set = find(plane, REPLICA_SETS, namespace, owner);
  const above = set && controllerOf(set.metadata);
  const isDeployed = above?.kind === 'Deployment' && /^(apps|extensions)\//.test(above.apiVersion);
  return scaleIn(isDeployed ? find(plane, DEPLOYMENTS, namespace, above) : set);
}

function find(
  { known }: LoopPlane,
  resource: ResourceName,
  namespace: string,
  owner: OwnerReference,
): Scaled | undefined {
  const found = known.get<Scaled>(resource, namespace, owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

const scaleIn = (object: Scaled | undefined): ControllerScale | undefined =>
  object && { uid: object.metadata.uid ?? '', replicas: object.spec.replicas ?? 0 };

/** Of controllers of any other kind: by their subresource `scale`. */
async function askForScale(
  { client, kinds }: LoopPlane,
  namespace: string,
  owner: OwnerReference,
): Promise<ControllerScale | undefined> {
  const kind = kinds.named(owner.apiVersion, owner.kind);
  if (!kind) throw new Error(`no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`);
  const target = { kind, namespace, name: owner.name, subresource: 'scale' };
  const scale = await client.find<Scale & AnyObject>(target);
  if (scale) return scale.metadata.uid === owner.uid ? scaleIn(scale as unknown as Scaled) : undefined;
  // There is no such object, or no such part of it.
  const root = kind.group === '' ? '/api' : '/apis';
  const { resources } = await client.document<APIResourceList>(`${root}/${apiVersionOfKind(kind)}`);
  if (!resources?.some(({ name }) => name === `${kind.plural}/scale`)) {
    throw new Error(`${qualified(kind)} does not implement the scale subresource`);
  }
  return undefined;
}

const qualified = ({ group, plural }: ServedKind): string => (group === '' ? plural : `${plural}.${group}`);
