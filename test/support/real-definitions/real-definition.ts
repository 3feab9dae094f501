import { isObject } from '../../../src/schema/json-object.ts';
import { definition } from '../definitions.ts';
import type { Schema } from './schema-parts.ts';

/** Values by their places, such as `spec.rules.0.name`; undefined takes away what is there. */
export type Changes = Readonly<Record<string, unknown>>;

/** An object that is refused: how it differs from the valid one, and the ends of the messages at each field. */
export interface Refusal {
  readonly changes: Changes;
  readonly causes: Readonly<Record<string, string | readonly string[]>>;
}

/** Added where rules cannot be looked at because a value is missing, of another type, too long or not one of several. */
export const UNCHECKED = {
  '<nil>':
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/** A list with keys to which two managers apply an item each. */
export interface SharedList {
  readonly at: string;
  readonly first: object;
  readonly second: object;
  /** The first item with another value, and how the conflict over it is named. */
  readonly contested: object;
  readonly conflict: string;
}

/** A definition in the size and shape of those in the field, with what its objects are held against. */
export interface RealDefinition {
  readonly title: string;
  readonly plural: string;
  readonly group: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly columns: readonly object[];
  readonly schema: Schema;
  readonly valid: Readonly<Record<string, unknown>>;
  /** What the schema fills in, by its place. */
  readonly defaults: Changes;
  readonly update: Changes;
  readonly status: object;
  /** The row of the valid object with this status, without its name and the cells after these. */
  readonly cells: readonly unknown[];
  readonly shared: SharedList;
  readonly refused: readonly Refusal[];
  /** Places that the schema does not name. */
  readonly unknown: readonly string[];
}

export const definitionOf = ({ plural, group, kind, shortNames, columns, schema }: RealDefinition): object =>
  definition(
    plural,
    group,
    [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: columns,
        schema: { openAPIV3Schema: schema },
      },
    ],
    { names: { plural, kind, shortNames, categories: ['field'] } },
  );

export const pathOf = ({ group, plural }: RealDefinition): string => `/apis/${group}/v1/namespaces/default/${plural}`;

/** The value at a place; undefined where there is none. */
export function valueAt(document: unknown, place: string): unknown {
  let value = document;
  for (const step of place.split('.')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? value[step] : undefined;
  }
  return value;
}

/** A copy of a document with other values at some places. */
export function altered<T extends object>(document: T, changes: Changes): T {
  const copy = structuredClone(document);
  for (const [place, value] of Object.entries(changes)) {
    const cut = place.lastIndexOf('.');
    const owner = cut < 0 ? copy : valueAt(copy, place.slice(0, cut));
    if (typeof owner !== 'object' || owner === null) throw new Error(`there is nothing that could have ${place}`);
    if (value === undefined) Reflect.deleteProperty(owner, place.slice(cut + 1));
    else Reflect.set(owner, place.slice(cut + 1), value);
  }
  return copy;
}

/** A valid object of a definition under a name, with other values at some places. */
export const objectOf = (
  { group, kind, valid }: RealDefinition,
  named: string,
  changes: Changes = {},
): Record<string, unknown> => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: named },
  ...altered(valid, changes),
});
