import { type AnyObject, type Client, PersistentVolume, PersistentVolumeClaim } from '../../client/index.ts';
import { isRefusal } from '../../client/plane-client.ts';
import { type Stage, stage } from './stage.ts';

type StoredClaim = PersistentVolumeClaim & AnyObject;
type StoredVolume = PersistentVolume & AnyObject;

/** Every claim gets a volume of its own, as large as it asks for, as from a provisioner that never runs out. */
export const volumeStages = (client: Client): readonly Stage[] => [
  stage<StoredClaim>({
    name: 'claim-is-provisioned',
    kind: PersistentVolumeClaim,
    when: { absent: ['spec.volumeName', 'metadata.deletionTimestamp'] },
    next: async (claim) => {
      const name = await provision(client, claim);
      return { patch: { spec: { volumeName: name } } };
    },
  }),
  stage<StoredClaim>({
    name: 'claim-is-bound',
    kind: PersistentVolumeClaim,
    when: { fields: { 'status.phase': 'Pending' }, present: ['spec.volumeName'] },
    next: ({ spec }) => ({
      status: { phase: 'Bound', accessModes: spec.accessModes ?? [], capacity: spec.resources?.requests ?? {} },
    }),
  }),
  stage<StoredVolume>({
    name: 'volume-is-bound',
    kind: PersistentVolume,
    when: { present: ['spec.claimRef'], fields: { 'status.phase': ['Pending', 'Available'] } },
    next: { status: { phase: 'Bound' } },
  }),
  stage<StoredVolume>({
    name: 'volume-is-available',
    kind: PersistentVolume,
    when: { absent: ['spec.claimRef'], fields: { 'status.phase': 'Pending' } },
    next: { status: { phase: 'Available' } },
  }),
];

async function provision(client: Client, { metadata, spec }: StoredClaim): Promise<string> {
  const { namespace, name, uid } = metadata;
  const volume = `pvc-${uid}`;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  await client
    .of(PersistentVolume)
    .create({
      metadata: { name: volume },
      spec: {
        capacity: { storage: spec.resources?.requests?.storage ?? '1Gi' },
        accessModes: spec.accessModes ?? ['ReadWriteOnce'],
        storageClassName: spec.storageClassName ?? '',
        persistentVolumeReclaimPolicy: 'Delete',
        hostPath: { path: `/stages/${volume}` },
        claimRef,
      },
    })
    .catch((error: unknown) => {
      if (!isRefusal(error, 'AlreadyExists')) throw error;
    });
  return volume;
}
