import type { MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';

/** Keeps claims and volumes from going while they are in use: a control loop takes the finalizer off when they are not. */
export class StorageObjectInUseProtection implements AdmissionPlugin {
  readonly name = 'StorageObjectInUseProtection';
  readonly operations = ['CREATE'] as const;
  private readonly finalizers: ReadonlyMap<string, string>;

  constructor({ finalizers }: Vocabulary) {
    this.finalizers = new Map([
      ['persistentvolumeclaims', finalizers.pvcProtection],
      ['persistentvolumes', finalizers.pvProtection],
    ]);
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && subresource === '' && this.finalizers.has(plural);
  }

  mutate({ type, object }: MutatingRequest): void {
    const finalizer = this.finalizers.get(type.plural);
    if (!object || finalizer === undefined) return;
    const own = object.metadata.finalizers ?? [];
    if (!own.includes(finalizer)) object.metadata.finalizers = [...own, finalizer];
  }
}
