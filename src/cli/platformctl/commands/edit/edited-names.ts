import type { AnyObject } from '../../../../client/plane-client.ts';
import { qualifiedName, type ServedResources } from '../../resources/served-resources.ts';

/** How messages about edits call objects: `configmaps "one"`. */
export const namesBy =
  (resources: ServedResources) =>
  ({ apiVersion, kind, metadata }: AnyObject): string => {
    const resource = resources.findKind(apiVersion, kind);
    return `${resource ? qualifiedName(resource) : kind} ${JSON.stringify(metadata.name ?? '')}`;
  };
