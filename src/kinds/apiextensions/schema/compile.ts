import type { ApiObject } from '../../../registry/resource-type.ts';
import type { Steps } from '../../../runtime/pacing.ts';
import { type Field, Node } from '../../../schema/node.ts';
import type { Problems } from '../../../schema/problems.ts';
import { jsonOnly, kind, open, type Struct } from '../../../schema/schema.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { CustomMeta } from './custom-meta.ts';
import { ObjectValidator } from './object-validator.ts';
import { structureOf } from './structure.ts';

export interface CompileOptions {
  /** The name that the kind is published under, such as `com.example.v1.Widget`. */
  readonly name: string;
  readonly vocabulary: Vocabulary;
  /** Fields are kept that the schema does not name. */
  readonly preserveUnknownFields?: boolean;
  /** Parts that an update leaves alone may be wrong: they were right when they were written. */
  readonly ratcheting?: boolean;
}

/** What the schema of one version of a custom kind becomes. */
export interface CompiledSchema {
  /** The schema of whole objects of one version: kind, apiVersion, metadata and whatever the definition says. */
  readonly schema: Struct<ApiObject>;
  /**
   * What is wrong with an object by itself, beyond what reading it by the schema finds: types, formats, bounds,
   * combinations, objects inside, items that a list has twice. `old`: what an update changes.
   */
  validateInSteps(object: ApiObject, problems: Problems, old?: ApiObject): Steps<void>;
}

/** Every object has them, whatever its schema says. */
const OF_OBJECTS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Without a schema, everything is kept. Nothing is compiled before it is used. */
export function compileSchema(source: JSONSchemaProps | undefined, options: CompileOptions): CompiledSchema {
  const validator = source && new ObjectValidator(source, options);
  return {
    schema: rootOf(source, options),
    *validateInSteps(object, problems, old) {
      yield* validator?.validateInSteps(object, problems, old) ?? [];
    },
  };
}

function rootOf(source: JSONSchemaProps | undefined, options: CompileOptions): Struct<ApiObject> {
  const { name, vocabulary, preserveUnknownFields = false } = options;
  const isOpen =
    !source || preserveUnknownFields || schemaExtensions(source, vocabulary).preserveUnknownFields === true;
  const fields = (): { readonly metadata: Field<typeof CustomMeta, false> } => ({
    metadata: jsonOnly(CustomMeta),
    ...propertiesOf(source, vocabulary, preserveUnknownFields),
  });
  return kind(name, fields, { description: source?.description, rest: isOpen ? open() : undefined });
}

function propertiesOf(
  source: JSONSchemaProps | undefined,
  vocabulary: Vocabulary,
  keepsAll: boolean,
): Readonly<Record<string, Field>> {
  const properties = Object.entries(source?.properties ?? {}).filter(([name]) => !OF_OBJECTS.has(name));
  const inOrder = properties.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    inOrder.map(([name, property]) => {
      const { shape, facts } = structureOf(property, vocabulary, keepsAll);
      const node = new Node(shape, { ...facts, required: source?.required?.includes(name) ?? false });
      return [name, jsonOnly(node)];
    }),
  );
}
