import type { Volume } from '../volume/volume.ts';
import type { EnvFromSource, EnvVar } from './env.ts';
import type { Pod } from './pod.ts';

/** An object of the pod's namespace that its node needs to run it. */
export interface PodReference {
  readonly plural: 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';
  readonly name: string;
}

type Plural = PodReference['plural'];

interface Found {
  readonly plural: Plural;
  readonly name: string | undefined;
}

/** What of every kind of container matters here. */
interface Container {
  readonly env?: readonly EnvVar[] | null;
  readonly envFrom?: readonly EnvFromSource[] | null;
}

/** Everything that a pod names and its node has to read; an object may be named more than once. */
export function referencesOf(pod: Pod): PodReference[] {
  return [...everyReference(pod)].flatMap(({ plural, name }) => (name ? { plural, name } : []));
}

function* everyReference({ metadata, spec }: Pod): Generator<Found> {
  yield { plural: 'serviceaccounts', name: spec.serviceAccountName };
  for (const { name } of spec.imagePullSecrets ?? []) yield { plural: 'secrets', name };
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const container of containers ?? []) yield* inContainer(container);
  }
  for (const volume of spec.volumes ?? []) {
    for (const name of secretsOf(volume)) yield { plural: 'secrets', name };
    for (const name of configMapsOf(volume)) yield { plural: 'configmaps', name };
    yield { plural: 'persistentvolumeclaims', name: claimOf(volume, metadata.name ?? '') };
  }
}

function* inContainer({ env, envFrom }: Container): Generator<Found> {
  for (const { configMapRef, secretRef } of envFrom ?? []) {
    yield { plural: 'configmaps', name: configMapRef?.name };
    yield { plural: 'secrets', name: secretRef?.name };
  }
  for (const { valueFrom } of env ?? []) {
    yield { plural: 'configmaps', name: valueFrom?.configMapKeyRef?.name };
    yield { plural: 'secrets', name: valueFrom?.secretKeyRef?.name };
  }
}

const secretsOf = (volume: Volume): (string | undefined)[] => [
  volume.secret?.secretName,
  volume.azureFile?.secretName,
  volume.cephfs?.secretRef?.name,
  volume.cinder?.secretRef?.name,
  volume.csi?.nodePublishSecretRef?.name,
  volume.flexVolume?.secretRef?.name,
  volume.iscsi?.secretRef?.name,
  volume.rbd?.secretRef?.name,
  volume.scaleIO?.secretRef?.name,
  volume.storageos?.secretRef?.name,
  ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
];

const configMapsOf = (volume: Volume): (string | undefined)[] => [
  volume.configMap?.name,
  ...(volume.projected?.sources ?? []).map(({ configMap }) => configMap?.name),
];

/** The claim of an ephemeral volume is made for the pod, and named after both. */
const claimOf = (volume: Volume, podName: string): string | undefined =>
  volume.ephemeral ? `${podName}-${volume.name}` : volume.persistentVolumeClaim?.claimName;
