import type { Kind } from '../state/catalogue.ts';
import { at, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';
import { names } from './names.ts';
import { sendForJson } from './request.ts';

/** What the schema says of a field. */
export interface FieldDoc {
  readonly description: string;
  readonly type: string;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

type Path = readonly (string | number)[];

const documents = new Map<string, Promise<JsonObject>>();
const MOST_STEPS = 40;

/** The schema of a kind, read once for each group and version. Rejects where the server publishes none. */
export async function schemaOf(kind: Kind): Promise<SchemaReader> {
  const group = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
  const reading = documents.get(group) ?? sendForJson(`/openapi/v3/${group}`);
  documents.set(group, reading);
  reading.catch(() => documents.delete(group));
  const schemas = objectAt(await reading, 'components', 'schemas');
  const { groupVersionKind } = names();
  const root = Object.values(schemas).find((schema) =>
    listAt(schema, groupVersionKind).some(
      (one) =>
        textAt(one, 'kind') === kind.kind &&
        textAt(one, 'version') === kind.version &&
        textAt(one, 'group') === kind.group,
    ),
  );
  return new SchemaReader(schemas, root ?? {});
}

/** Looks up fields in a schema. */
export class SchemaReader {
  readonly #schemas: JsonObject;
  readonly #root: Json;

  constructor(schemas: JsonObject, root: Json) {
    this.#schemas = schemas;
    this.#root = root;
  }

  /** What the schema says of the field at a path. */
  docOf(path: Path): FieldDoc | undefined {
    const name = path[path.length - 1];
    const parent = this.#at(path.slice(0, -1));
    const schema = this.#step(parent, name ?? '');
    if (schema === undefined) return undefined;
    const resolved = this.#resolve(schema);
    return {
      description: textAt(schema, 'description') || textAt(resolved, 'description'),
      type: typeOf(resolved),
      choices: listAt(resolved, 'enum').map(String),
      isRequired: listAt(parent ?? null, 'required').includes(String(name)),
    };
  }

  /** Names of the fields that an object at a path may have. */
  fieldsAt(path: Path): readonly string[] {
    return Object.keys(objectAt(this.#at(path) ?? null, 'properties'));
  }

  #at(path: Path): Json | undefined {
    let schema: Json | undefined = this.#resolve(this.#root);
    for (const step of path) {
      const next = this.#step(schema, step);
      if (next === undefined) return undefined;
      schema = this.#resolve(next);
    }
    return schema;
  }

  #step(schema: Json | undefined, step: string | number): Json | undefined {
    if (typeof step === 'number') return at(schema, 'items');
    const additional = at(schema, 'additionalProperties');
    return at(schema, 'properties', step) ?? (isObject(additional) ? additional : undefined);
  }

  /** Follows references, which stand by themselves or as the only one of `allOf`. */
  #resolve(schema: Json): Json {
    let found = schema;
    for (let i = 0; i < MOST_STEPS; i++) {
      const reference = textAt(found, '$ref') || textAt(found, 'allOf', 0, '$ref');
      if (reference === '') return found;
      found = this.#schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
    }
    return found;
  }
}

function typeOf(schema: Json): string {
  const type = textAt(schema, 'type');
  if (type === 'array') return `list of ${textAt(schema, 'items', 'type') || 'objects'}`;
  if (type === 'object' && at(schema, 'additionalProperties') !== undefined) return 'map';
  return type || 'any';
}
