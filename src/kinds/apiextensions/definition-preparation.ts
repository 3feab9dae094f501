import type { HookContext } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import { formatTime } from '../../schema/time.ts';
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

/** The objects of the kind go first; until then the definition stays. */
export function beginTermination({ status }: Draft<CustomResourceDefinition>, { runtime }: HookContext): void {
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating');
  status.conditions = [
    ...others,
    {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: formatTime(runtime.now()),
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
  ];
}
