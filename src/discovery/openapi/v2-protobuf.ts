import type { Rest } from '../../runtime/pacing.ts';
import { DELIMITED, tagOf } from '../../schema/wire.ts';
import { WireWriter } from '../../schema/wire-writer.ts';
import {
  any,
  flag,
  fraction,
  holding,
  type JsonObject,
  type Message,
  mapOf,
  message,
  nested,
  pair,
  repeated,
  text,
  type Write,
  whole,
} from './message.ts';
import type { V2Document } from './v2-document.ts';

/**
 * The binary form of the older document, the message `openapi.v2.Document` of the gnostic project, which clients that
 * check what they send ask for. Each table below is one message of it, as far as our documents contain its fields.
 */

const texts = repeated(text);

/** Schemas contain schemas. */
const schema = nested(() => SCHEMA);

const SCHEMA: Message = message(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, fraction],
    maximum: [7, fraction],
    exclusiveMaximum: [8, flag],
    minimum: [9, fraction],
    exclusiveMinimum: [10, flag],
    maxLength: [11, whole],
    minLength: [12, whole],
    pattern: [13, text],
    maxItems: [14, whole],
    minItems: [15, whole],
    uniqueItems: [16, flag],
    maxProperties: [17, whole],
    minProperties: [18, whole],
    required: [19, texts],
    enum: [20, repeated(any)],
    additionalProperties: [21, holding(1, schema)],
    type: [22, holding(1, text)],
    items: [23, holding(1, schema)],
    allOf: [24, repeated(schema)],
    properties: [25, mapOf(schema)],
  },
  31,
);

const IN_BODY = message({
  description: [1, text],
  name: [2, text],
  in: [3, text],
  required: [4, flag],
  schema: [5, schema],
});

const IN_QUERY = message({
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [6, text],
});

const IN_PATH = message({
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [5, text],
});

/** What a parameter is wrapped in depends on where it stands. */
const PLACES: Readonly<Record<string, Write<JsonObject>>> = {
  body: holding(
    1,
    nested(() => IN_BODY),
  ),
  query: holding(
    2,
    holding(
      3,
      nested(() => IN_QUERY),
    ),
  ),
  path: holding(
    2,
    holding(
      4,
      nested(() => IN_PATH),
    ),
  ),
};

const parameter: Write<JsonObject> = (writer, number, value) => PLACES[String(value.in)]?.(writer, number, value);

const REFERENCE = message({ $ref: [1, text] });
const inPlace = holding(1, parameter);
const reference = holding(
  2,
  nested(() => REFERENCE),
);
const parameterOrReference: Write<JsonObject> = (writer, number, value) =>
  ('$ref' in value ? reference : inPlace)(writer, number, value);

const RESPONSE = message({ description: [1, text], schema: [2, holding(1, schema)] });

const OPERATION = message(
  {
    tags: [1, texts],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, repeated(parameterOrReference)],
    responses: [
      9,
      mapOf(
        holding(
          1,
          nested(() => RESPONSE),
        ),
      ),
    ],
    schemes: [10, texts],
  },
  13,
);
const operation = nested(() => OPERATION);

const PATH_ITEM = message({
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  options: [6, operation],
  head: [7, operation],
  patch: [8, operation],
  parameters: [9, repeated(parameterOrReference)],
});

const INFO = message({ title: [1, text], version: [2, text] });
const API_KEY = message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] });

/** What comes before the paths, and what comes after the definitions. */
const HEAD = message({ swagger: [1, text], info: [2, nested(() => INFO)] });
const TAIL = message({
  parameters: [10, mapOf(parameter)],
  security: [12, repeated(mapOf(holding(1, texts)))],
  securityDefinitions: [
    13,
    mapOf(
      holding(
        2,
        nested(() => API_KEY),
      ),
    ),
  ],
});

const path = pair(nested(() => PATH_ITEM));
const definition = pair(schema);

/** `rest` is awaited after every path and definition. */
export async function encodeV2(document: V2Document, rest: Rest): Promise<Buffer> {
  const { swagger, info, paths, definitions, parameters, security, securityDefinitions } = document;
  const writer = new WireWriter();
  const writeAll = async <T>(members: Readonly<Record<string, T>>, write: Write<readonly [string, T]>, at: number) => {
    for (const entry of Object.entries(members).reverse()) {
      write(writer, at, entry);
      await rest();
    }
  };
  const enclose = async (number: number, write: () => Promise<void>) => {
    const before = writer.size;
    await write();
    writer.varint(writer.size - before);
    writer.varint(tagOf(number, DELIMITED));
  };
  TAIL(writer, { parameters, security, securityDefinitions });
  await enclose(9, () => writeAll(definitions, definition, 1));
  await enclose(8, () => writeAll(paths, path, 2));
  HEAD(writer, { swagger, info });
  return writer.finish();
}
