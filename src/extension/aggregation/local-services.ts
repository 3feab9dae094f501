import type { APIService } from '../../kinds/apiregistration/api-service.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Priorities } from './api-services.ts';

/** When an APIService that servers made is brought up to date: at each start, or whenever what it stands for changes. */
export type Management = 'onstart' | 'true';

/** An APIService that says of a version that servers of this store answer for it themselves. */
export interface LocalService {
  readonly name: string;
  readonly management: Management;
  readonly spec: Pick<APIService['spec'], 'group' | 'version' | 'groupPriorityMinimum' | 'versionPriority'>;
}

export const localService = (
  group: string,
  version: string,
  { group: groupPriorityMinimum, version: versionPriority }: Priorities,
  management: Management,
): LocalService => ({
  name: `${version}.${group}`,
  management,
  spec: { ...(group === '' ? {} : { group }), version, groupPriorityMinimum, versionPriority },
});

/** Undefined: someone else made it, and it is left alone. */
export function managementOf({ metadata }: APIService, { labels }: Vocabulary): Management | undefined {
  const value = metadata.labels?.[labels.automanaged];
  return value === 'onstart' || value === 'true' ? value : undefined;
}

/** The object as it should be; what others have added to its metadata stays. */
export function asManaged(
  current: APIService | undefined,
  { name, management, spec }: LocalService,
  { labels }: Vocabulary,
): object {
  const managed = { [labels.automanaged]: management };
  return {
    ...current,
    metadata: { ...current?.metadata, name, labels: { ...current?.metadata.labels, ...managed } },
    spec,
  };
}

/** Whether the object is as it should be. */
export function isAsManaged(current: APIService, wanted: LocalService, vocabulary: Vocabulary): boolean {
  const { service, group, version, groupPriorityMinimum, versionPriority, caBundle, insecureSkipTLSVerify } =
    current.spec;
  return (
    managementOf(current, vocabulary) === wanted.management &&
    !service &&
    !caBundle &&
    !insecureSkipTLSVerify &&
    (group ?? '') === (wanted.spec.group ?? '') &&
    version === wanted.spec.version &&
    groupPriorityMinimum === wanted.spec.groupPriorityMinimum &&
    versionPriority === wanted.spec.versionPriority
  );
}
