import type { PersistentVolumeClaim } from '../kinds/core/volume/persistent-volume-claim.ts';
import type { StorageClass } from '../kinds/storage/v1/storage-class.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { compareQuantities, parseQuantity } from '../schema/quantity.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Claims grow only when they are bound and their class says that its volumes can. */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = 'PersistentVolumeClaimResize';
  readonly operations = ['UPDATE'] as const;
  private readonly objects: Objects;
  private readonly vocabulary: Vocabulary;

  constructor(objects: Objects, vocabulary: Vocabulary) {
    this.objects = objects;
    this.vocabulary = vocabulary;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'persistentvolumeclaims' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    const claim = request.object as PersistentVolumeClaim;
    const old = request.oldObject as PersistentVolumeClaim;
    if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
    if (old.status.phase !== 'Bound') {
      throw refusal(request, 'Only bound persistent volume claims can be expanded');
    }
    if (!this.canGrow(this.classOf(claim), this.classOf(old))) {
      throw refusal(
        request,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    }
  }

  private canGrow(className: string, oldClassName: string): boolean {
    if (className === '' || className !== oldClassName) return false;
    const classes = { group: this.vocabulary.groups.storage, plural: 'storageclasses' };
    return this.objects.get<StorageClass>(classes, '', className)?.allowVolumeExpansion === true;
  }

  private classOf({ metadata, spec }: PersistentVolumeClaim): string {
    return metadata.annotations?.[this.vocabulary.annotations.betaStorageClass] ?? spec.storageClassName ?? '';
  }
}

const NOTHING = { nanos: 0n, family: 'decimal' } as const;

const sizeOf = ({ spec }: PersistentVolumeClaim) => parseQuantity(spec.resources?.requests?.storage ?? '') ?? NOTHING;
