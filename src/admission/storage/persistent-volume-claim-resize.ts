import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import type { StorageClass } from '../../kinds/storage/v1/storage-class.ts';
import type { Objects } from '../../registry/objects.ts';
import { compareQuantities, parseQuantity } from '../../schema/quantity.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onKind, type UpdateRequest } from '../rule.ts';

/** Claims grow only when they are bound and their class says that its volumes can. */
export function persistentVolumeClaimResize(objects: Objects, { groups, annotations }: Vocabulary): AdmissionPlugin {
  const classes = { group: groups.storage, plural: 'storageclasses' };
  const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
    metadata.annotations?.[annotations.betaStorageClass] ?? spec.storageClassName ?? '';
  const canGrow = ({ object, oldObject }: UpdateRequest<PersistentVolumeClaim>): boolean => {
    const name = classOf(object);
    if (name === '' || name !== classOf(oldObject)) return false;
    return objects.get<StorageClass>(classes, '', name)?.allowVolumeExpansion === true;
  };
  return { rules: [onKind(PersistentVolumeClaim).validate({ update: (request) => check(request, canGrow) })] };
}

function check(
  request: UpdateRequest<PersistentVolumeClaim>,
  canGrow: (request: UpdateRequest<PersistentVolumeClaim>) => boolean,
): void {
  const { object, oldObject } = request;
  if (compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return;
  if (oldObject.status.phase !== 'Bound') throw refusal(request, 'Only bound persistent volume claims can be expanded');
  if (canGrow(request)) return;
  throw refusal(
    request,
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
}

const NOTHING = { nanos: 0n, family: 'decimal' } as const;

const sizeOf = ({ spec }: PersistentVolumeClaim) => parseQuantity(spec.resources?.requests?.storage ?? '') ?? NOTHING;
