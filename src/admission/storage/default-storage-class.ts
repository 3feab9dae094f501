import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { defaultClass } from '../default-class.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind } from '../rule.ts';

/** Gives new claims that name no class the one class that is marked as the default. Naming the empty class is naming one. */
export function defaultStorageClass(objects: Objects, { groups, annotations }: Vocabulary): AdmissionPlugin {
  const classes = {
    group: groups.storage,
    plural: 'storageclasses',
    kinds: 'StorageClasses',
    marks: [annotations.defaultStorageClass, annotations.betaDefaultStorageClass],
  };
  return {
    rules: [
      onKind(PersistentVolumeClaim).mutate({
        create(request) {
          const { metadata, spec } = request.object;
          const namesOne = Object.hasOwn(metadata.annotations ?? {}, annotations.betaStorageClass);
          if (namesOne || (spec.storageClassName ?? undefined) !== undefined) return;
          const name = defaultClass(request, objects, classes);
          if (name) spec.storageClassName = name;
        },
      }),
    ],
  };
}
