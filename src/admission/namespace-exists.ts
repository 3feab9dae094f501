import { notFound } from '../api/errors.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionPlugin } from './chain.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** Nothing is written or deleted in a namespace that does not exist. */
export class NamespaceExists implements AdmissionPlugin {
  readonly name = 'NamespaceExists';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
  private readonly objects: Objects;

  constructor(objects: Objects) {
    this.objects = objects;
  }

  concerns({ namespaced }: ResourceType): boolean {
    return namespaced;
  }

  validate({ namespace }: AdmissionRequest): void {
    if (!this.objects.get(NAMESPACES, '', namespace)) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  }
}
