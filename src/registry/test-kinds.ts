import { ObjectMeta } from '../meta/object-meta.ts';
import { string } from '../schema/scalars.ts';
import { f, kind } from '../schema/schema.ts';
import { Kind, type KindSpec } from './kind.ts';
import { type ApiObject, type ResourceType, type ResourceTypeSpec, resourceType } from './resource-type.ts';

export const ZOO = 'zoo.example';

/** A type for tests, of a schema of its own. */
export function zooType(
  plural: string,
  version: string,
  more: Partial<ResourceTypeSpec<ApiObject>> = {},
): ResourceType {
  const name = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return resourceType<ApiObject>({
    group: ZOO,
    version,
    kind: name,
    plural,
    namespaced: true,
    nameRule: () => undefined,
    schema: kind(`${ZOO}/${version}.${name}`, { metadata: f(1, ObjectMeta), roar: f(2, string()) }),
    collection: `${plural}.${ZOO}`,
    ...more,
  });
}

/** A kind with these versions, of which the last is stored. */
export function zooKind(plural: string, versions: readonly string[], more: Partial<KindSpec> = {}): Kind {
  const types = versions.map((version) => zooType(plural, version));
  const storage = types.at(-1);
  if (!storage) throw new Error('a kind has a version');
  return new Kind({ versions: types, storage, ...more });
}
