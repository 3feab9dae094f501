import { ApiError } from '../api/errors.ts';
import { SERVER_USER } from '../api/user.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AdmissionPlugin } from './chain.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

export interface NamespaceAutoProvisionParts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  registry(): Registry;
}

/** Makes the namespace that something is created in, when it is not there. */
export class NamespaceAutoProvision implements AdmissionPlugin {
  readonly name = 'NamespaceAutoProvision';
  readonly operations = ['CREATE'] as const;
  private readonly parts: NamespaceAutoProvisionParts;

  constructor(parts: NamespaceAutoProvisionParts) {
    this.parts = parts;
  }

  concerns({ namespaced }: ResourceType): boolean {
    return namespaced;
  }

  mutate({ namespace, dryRun }: MutatingRequest): Promise<void> | void {
    if (dryRun || this.parts.objects.get(NAMESPACES, '', namespace)) return;
    return this.provide(namespace);
  }

  private async provide(name: string): Promise<void> {
    const { catalogue, registry } = this.parts;
    const type = catalogue.preferred('', 'namespaces');
    if (!type) throw new Error('namespaces are not served');
    try {
      await registry().create(type, '', { metadata: { name } }, { user: SERVER_USER });
    } catch (error) {
      // Somebody else was faster: it is there, which is all that is wanted.
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
    }
  }
}
