import { isList, isObject } from '../../../schema/json-object.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { JSONSchemaProps } from '../json-schema.ts';

/** Looks at a value, whatever it is, and at all that is in it. */
export type Walk = (value: unknown, path: Path, problems: Problems) => void;

/**
 * A walk through the values of a schema to those places where `own` gives something to do; undefined where there is no
 * such place, so that a walk takes no longer than it must.
 */
export function walkOf(schema: JSONSchemaProps, own: (schema: JSONSchemaProps) => Walk | undefined): Walk | undefined {
  const here = own(schema);
  const items = isList(schema.items) ? undefined : schema.items;
  const { properties = {}, additionalProperties: rest } = schema;
  const ofFields = new Map<string, Walk>();
  for (const [name, property] of Object.entries(properties)) {
    const walk = walkOf(property, own);
    if (walk) ofFields.set(name, walk);
  }
  const ofRest = typeof rest === 'object' ? walkOf(rest, own) : undefined;
  const ofItems = items && walkOf(items, own);
  if (!here && !ofRest && !ofItems && ofFields.size === 0) return undefined;
  return (value, path, problems) => {
    here?.(value, path, problems);
    if (isList(value)) {
      if (ofItems) for (const [at, item] of value.entries()) ofItems(item, path.index(at), problems);
    } else if (isObject(value)) {
      for (const [name, walk] of ofFields) {
        if (Object.hasOwn(value, name)) walk(value[name], path.child(name), problems);
      }
      if (!ofRest) return;
      for (const name in value) {
        if (!Object.hasOwn(properties, name)) ofRest(value[name], path.child(name), problems);
      }
    }
  };
}
