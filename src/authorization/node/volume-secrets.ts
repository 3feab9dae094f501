import type { PersistentVolume } from '../../kinds/core/volume/persistent-volume.ts';

interface Reference {
  readonly namespace?: string;
  readonly name?: string;
}

/** A secret that a node needs to mount a volume. */
export interface VolumeSecret {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The secrets that a bound volume names and nodes have to read; those for the control plane alone are not among them.
 * A secret named without a namespace is that of the claim.
 */
export function secretsOfVolume({ spec }: PersistentVolume): VolumeSecret[] {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec;
  const references: (Reference | null | undefined)[] = [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace ?? '' },
    cephfs?.secretRef,
    cinder?.secretRef,
    csi?.nodeExpandSecretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    flexVolume?.secretRef,
    iscsi?.secretRef,
    rbd?.secretRef,
    scaleIO?.secretRef,
    storageos?.secretRef,
  ];
  const claimNamespace = spec.claimRef?.namespace ?? '';
  return references.flatMap((reference) =>
    reference?.name ? { namespace: reference.namespace || claimNamespace, name: reference.name } : [],
  );
}
