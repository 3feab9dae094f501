import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseJsonInSteps } from '../../codec/json-reading.ts';
import { jsonInSteps } from '../../codec/json-writing.ts';
import { mediaTypeOf, parseYamlOrJson } from '../../codec/parse-body.ts';
import { type Expectation, parseProtobuf } from '../../codec/protobuf-body.ts';
import type { HeaderList } from '../../http/message.ts';
import { inSteps, type Rest, type Steps } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Node } from '../../schema/node.ts';
import { withoutManagedFields } from './managed-fields.ts';

/** The declaration of a kind, for answers in binary; undefined when it is not known. */
export type SchemaOf = (apiVersion: string, kind: string) => Node | undefined;

export interface ResponseReader {
  readonly protobuf: string;
  readonly schemaOf: SchemaOf;
}

/** An object, and not just any JSON: health, versions and schemas are no objects. */
const OBJECT = /^\s*\{\s*"kind"\s*:/;

/** Of values: answers are of the server's own making, and lists are long. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/** Of an answer that is read anew with rests. */
const MANY_BYTES = 128 << 10;

const unzip = promisify(gunzip);

function headerIn(headers: HeaderList, name: string): string {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1] ?? '';
  return '';
}

/**
 * The object that an answer holds, as JSON on one line; undefined when it holds none. At once for what is sent as such
 * JSON already, which is nearly everything; a long answer with rests.
 */
export function responseText(
  reader: ResponseReader,
  headers: HeaderList,
  body: Buffer,
  omitManagedFields: boolean,
  rest: Rest,
): string | undefined | Promise<string | undefined> {
  const mediaType = mediaTypeOf(headerIn(headers, 'content-type'));
  if (headerIn(headers, 'content-encoding') === 'gzip') {
    return unzip(body).then((whole) => decode(reader, mediaType, whole, omitManagedFields, rest));
  }
  return decode(reader, mediaType, body, omitManagedFields, rest);
}

function decode(
  { protobuf, schemaOf }: ResponseReader,
  mediaType: string,
  body: Buffer,
  omitManagedFields: boolean,
  rest: Rest,
): string | undefined | Promise<string | undefined> {
  const write = (value: unknown): string => JSON.stringify(omitManagedFields ? withoutManagedFields(value) : value);
  switch (mediaType) {
    case 'application/json': {
      const text = body.toString('utf8').trimEnd();
      if (!OBJECT.test(text.slice(0, 100))) return undefined;
      // A text with line breaks was made for people.
      if (!omitManagedFields && !text.includes('\n')) return text;
      return body.length > MANY_BYTES ? inSteps(rewrite(text, omitManagedFields), rest) : write(JSON.parse(text));
    }
    case 'application/yaml':
      return parseYamlOrJson(body, rest, '', ANY_NUMBER).then(({ value }) => write(value));
    case protobuf: {
      const value = fromProtobuf(body, protobuf, schemaOf);
      return value && write(value);
    }
    default:
      return undefined;
  }
}

function* rewrite(text: string, omitManagedFields: boolean): Steps<string> {
  const value = yield* parseJsonInSteps(text);
  const kept = omitManagedFields ? withoutManagedFields(value) : value;
  return typeof kept === 'object' && kept !== null ? yield* jsonInSteps(kept) : JSON.stringify(kept);
}

function fromProtobuf(body: Buffer, mediaType: string, schemaOf: SchemaOf): object | undefined {
  let schema: Node | undefined;
  const expectation: Expectation = ({ apiVersion, kind }) => {
    schema = schemaOf(apiVersion, kind);
    if (!schema) throw new Error(`${apiVersion} ${kind} is not known`);
    return { kind, schema };
  };
  const value = parseProtobuf(body, mediaType, expectation, ANY_NUMBER);
  return schema && Object(canonicalise(schema, value).value);
}
