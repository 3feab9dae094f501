import type { PersistentVolumeClaim } from '../kinds/core/volume/persistent-volume-claim.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { defaultClass } from './default-class.ts';

/** Gives new claims that name no class the one class that is marked as the default. Naming the empty class is naming one. */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly name = 'DefaultStorageClass';
  readonly operations = ['CREATE'] as const;
  private readonly objects: Objects;
  private readonly vocabulary: Vocabulary;

  constructor(objects: Objects, vocabulary: Vocabulary) {
    this.objects = objects;
    this.vocabulary = vocabulary;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'persistentvolumeclaims' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    const { metadata, spec } = request.object as Draft<PersistentVolumeClaim>;
    const namesOne = Object.hasOwn(metadata.annotations ?? {}, this.vocabulary.annotations.betaStorageClass);
    if (namesOne || (spec.storageClassName ?? undefined) !== undefined) return;
    const { groups, annotations } = this.vocabulary;
    const name = defaultClass(request, this.objects, {
      group: groups.storage,
      plural: 'storageclasses',
      kinds: 'StorageClasses',
      marks: [annotations.defaultStorageClass, annotations.betaDefaultStorageClass],
    });
    if (name) spec.storageClassName = name;
  }
}
