import type { Catalogue } from '../../registry/catalogue.ts';
import { listKindOf } from '../../registry/resource-type.ts';
import type { BuiltInNames } from './used-names.ts';

/** The names of everything that a catalogue has now, before any custom kind is in it. */
export function builtInNames(catalogue: Catalogue): BuiltInNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const kind of catalogue.kinds()) {
    for (const type of kind.versions) {
      const { group, plural, singular = type.kind.toLowerCase(), shortNames = [] } = type;
      for (const name of [plural, singular, ...shortNames]) resources.add(`${group}/${name}`);
      for (const name of [type.kind, listKindOf(type)]) kinds.add(`${group}/${name}`);
    }
  }
  return {
    hasResource: (group, name) => resources.has(`${group}/${name}`),
    hasKind: (group, name) => kinds.has(`${group}/${name}`),
  };
}
