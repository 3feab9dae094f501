import type { Ownership } from '../meta/dependents.ts';
import type { FieldSelector } from '../selectors/field-selector.ts';
import type { LabelSelector, Labels } from '../selectors/label-selector.ts';
import { mayMention } from '../storage/log/dormant-version.ts';
import type { Version } from '../storage/log/version.ts';
import { parseObject } from './encoding.ts';
import { identityOf } from './keys.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { storedLabels } from './stored-labels.ts';
import { ownershipIn, storedOwnership } from './stored-ownership.ts';

/**
 * What selectors and the garbage collector read of an object, extracted when it is written, or when first asked for after
 * a restart.
 */
export class Facets {
  readonly labels: Labels;
  /** `unread`: nobody has looked for it yet. */
  readonly ownership: Ownership | 'unread' | undefined;
  /**
   * What was written, while the version is made and told of: whoever follows the kind is handed it rather than parse it
   * anew. It has the revision of what it was made of; that of a new object is filled in when somebody is told of it.
   */
  written: ApiObject | undefined;
  readonly #fields: Readonly<Record<string, string>> | undefined;
  /** The number of the type that they were read by: a version would keep the type itself for as long as it is there. */
  readonly #reader: number;
  readonly #isExact: boolean;

  /** `isExact`: of an object that is just as the type has it. */
  constructor(
    labels: Labels,
    ownership: Ownership | 'unread' | undefined,
    fields: Readonly<Record<string, string>> | undefined,
    type: ResourceType,
    isExact: boolean,
  ) {
    this.labels = labels;
    this.ownership = ownership;
    this.#fields = fields;
    this.#reader = numberOf(type);
    this.#isExact = isExact;
  }

  /** Whether they were read by this type, so that they have its fields. */
  isReadBy(type: ResourceType): boolean {
    return this.#reader === numberOf(type);
  }

  /** Whether they are those of an object just as the type has it: with its fields and defaults, and in its version. */
  isOf(type: ResourceType): boolean {
    return this.#isExact && this.isReadBy(type);
  }

  field(name: string): string {
    return this.#fields?.[name] ?? '';
  }
}

const numbers = new WeakMap<ResourceType, number>();
let types = 0;

function numberOf(type: ResourceType): number {
  const known = numbers.get(type);
  if (known !== undefined) return known;
  numbers.set(type, ++types);
  return types;
}

/** The facets of an object that is just as the type has it. */
export function facetsIn(type: ResourceType, object: ApiObject): Facets {
  return facetsOfObject(type, object, true);
}

function facetsOfObject(type: ResourceType, object: ApiObject, isExact: boolean): Facets {
  const { metadata } = object;
  return new Facets(metadata.labels, ownershipIn(metadata), fieldsIn(type, object), type, isExact);
}

function fieldsIn({ selectableFields }: ResourceType, object: ApiObject): Record<string, string> | undefined {
  if (!selectableFields) return undefined;
  const values: Record<string, string> = {};
  for (const field in selectableFields) values[field] = selectableFields[field]?.(object) ?? '';
  return values;
}

/** `type` may be any version of the kind: facets are those of the stored one. */
export function facetsOf(type: ResourceType, version: Version): Facets {
  const hub = type.conversion?.hub ?? type;
  const { facets: known } = version;
  if (known instanceof Facets && (!hub.selectableFields || known.isReadBy(hub))) return known;
  const facets = readFacets(hub, version.bytes);
  version.facets = facets;
  return facets;
}

function readFacets(type: ResourceType, bytes: Buffer): Facets {
  const labels = type.selectableFields ? 'unclear' : storedLabels(bytes);
  if (labels !== 'unclear') return new Facets(labels, 'unread', undefined, type, false);
  return facetsOfObject(type, parseObject(bytes), false);
}

/** Whom the object of a version belongs to, and whether its dependents are waited for; undefined if neither is so. */
export function ownershipOf(version: Version): Ownership | undefined {
  const { facets } = version;
  if (facets instanceof Facets && facets.ownership !== 'unread') return facets.ownership;
  if (!OWNERSHIP_TEXTS.some((text) => mayMention(version, text))) return undefined;
  return storedOwnership(version.bytes);
}

/** Without one of these nobody owns an object, and nobody waits for what it owns. */
export const OWNERSHIP_TEXTS = ['"ownerReferences"', '"deletionTimestamp"'] as const;

/** What a list or watch selects by. Undefined when it selects everything, so that the common case asks nothing. */
export interface Selection {
  (version: Version): boolean;
  /** It looks at names alone, which are the same in all versions of a kind; at what an object says otherwise. */
  readonly byName: boolean;
}

export function selectionOf(type: ResourceType, labels: LabelSelector, fields: FieldSelector): Selection | undefined {
  if (labels.everything && fields.everything) return undefined;
  const selects = (version: Version): boolean => {
    if (!labels.everything && !labels.matches(facetsOf(type, version).labels)) return false;
    return fields.everything || fields.matches((field) => fieldOf(type, version, field));
  };
  const byName = labels.everything && fields.terms.every(({ field }) => NAMES.has(storedField(type, field)));
  return Object.assign(selects, { byName });
}

const NAMES: ReadonlySet<string> = new Set(['metadata.name', 'metadata.namespace']);

const storedField = ({ selectableAliases }: ResourceType, field: string): string => selectableAliases?.[field] ?? field;

function fieldOf(type: ResourceType, version: Version, field: string): string {
  const name = storedField(type, field);
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
