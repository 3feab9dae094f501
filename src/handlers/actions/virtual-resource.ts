import type { ApiObject } from '../../registry/resource-type.ts';

/** A resource that can be read although nothing of it is stored. */
export interface VirtualResource<T extends ApiObject = ApiObject> {
  readonly group: string;
  readonly plural: string;
  /** Everything there is at this moment, by name, in canonical form. */
  objects(): Promise<readonly T[]>;
  /** The one of that name, where that takes less than all of them, or says more. */
  find?(name: string): Promise<T | undefined>;
}

export const virtualKey = (group: string, plural: string): string => `${group}/${plural}`;

export const virtualTable = (resources: readonly VirtualResource[]): ReadonlyMap<string, VirtualResource> =>
  new Map(resources.map((resource) => [virtualKey(resource.group, resource.plural), resource]));
