import type { FieldSelector } from '../selectors/field-selector.ts';
import type { LabelSelector, Labels } from '../selectors/label-selector.ts';
import type { Version } from '../storage/log/version.ts';
import { parseObject } from './encoding.ts';
import { identityOf } from './keys.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { storedLabels } from './stored-labels.ts';

/** What selectors read of an object, extracted when it is written, or when first asked for after a restart. */
export class Facets {
  readonly labels: Labels;
  readonly #fields: Readonly<Record<string, string>> | undefined;

  constructor(labels: Labels, fields: Readonly<Record<string, string>> | undefined) {
    this.labels = labels;
    this.#fields = fields;
  }

  field(name: string): string {
    return this.#fields?.[name] ?? '';
  }
}

/** The facets of an object of the stored version. */
export function facetsIn({ selectableFields }: ResourceType, object: ApiObject): Facets {
  const values =
    selectableFields && Object.entries(selectableFields).map(([field, read]) => [field, read(object) ?? '']);
  return new Facets(object.metadata.labels, values && Object.fromEntries(values));
}

/** `type` may be any version of the kind: facets are those of the stored one. */
export function facetsOf(type: ResourceType, version: Version): Facets {
  if (version.facets instanceof Facets) return version.facets;
  const facets = readFacets(type.conversion?.hub ?? type, version.bytes);
  version.facets = facets;
  return facets;
}

function readFacets(type: ResourceType, bytes: Buffer): Facets {
  const labels = type.selectableFields ? 'unclear' : storedLabels(bytes);
  return labels === 'unclear' ? facetsIn(type, parseObject(bytes)) : new Facets(labels, undefined);
}

/** What a list or watch selects by. Undefined when it selects everything, so that the common case asks nothing. */
export type Selection = (version: Version) => boolean;

export function selectionOf(type: ResourceType, labels: LabelSelector, fields: FieldSelector): Selection | undefined {
  if (labels.everything && fields.everything) return undefined;
  return (version) => {
    if (!labels.everything && !labels.matches(facetsOf(type, version).labels)) return false;
    return fields.everything || fields.matches((field) => fieldOf(type, version, field));
  };
}

function fieldOf(type: ResourceType, version: Version, field: string): string {
  const name = type.selectableAliases?.[field] ?? field;
  if (name === 'metadata.name') return identityOf(type, version.key).name;
  if (name === 'metadata.namespace') return identityOf(type, version.key).namespace;
  return facetsOf(type, version).field(name);
}

/**
 * Whether a field selector may name this field. Every object has a name; a namespace can be asked for also where there
 * are none, except of kinds that list the fields they can be selected by.
 */
export function isSelectable(type: ResourceType, field: string): boolean {
  if (field === 'metadata.name') return true;
  if (field === 'metadata.namespace') return type.namespaced || !type.selectableFields;
  return Object.hasOwn(type.selectableFields ?? {}, field) || Object.hasOwn(type.selectableAliases ?? {}, field);
}
