import type { Draft } from '../../schema/draft.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

export function prepareDefinition(definition: Draft<CustomResourceDefinition>): void {
  definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  noteStoredVersion(definition);
}

/** Objects may from now on be stored in this version; it stays noted until someone has rewritten them all. */
export function noteStoredVersion(definition: Draft<CustomResourceDefinition>): void {
  const { spec, status } = definition;
  const stored = spec.versions?.find(({ storage }) => storage)?.name;
  const noted = status.storedVersions ?? [];
  if (stored === undefined || noted.includes(stored)) return;
  definition.status = { ...status, storedVersions: [...noted, stored] };
}
