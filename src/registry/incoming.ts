import { type ApiError, badRequest, invalid } from '../errors.ts';
import { canonicalise, findUnknown } from '../schema/derive/canonical.ts';
import { applyDefaults } from '../schema/derive/defaults.ts';
import { TypeMismatch } from '../schema/derive/reading.ts';
import type { ApiObject, ObjectType } from './resource-type.ts';

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** How a document is read. */
export interface ReadingOptions {
  /** Told, once the document is read, the paths of fields that were dropped because the kind does not have them. */
  readonly onRead?: (unknown: readonly string[]) => void;
  /** The document is a stored object after a patch: what does not fit is the fault of the patch. */
  readonly patched?: boolean;
  /** A stored object of the type: what the document has in common with it needs no second look. */
  readonly known?: ApiObject;
}

type JsonObject = { [key: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A parsed document becomes an object of the type: typed, pruned, in canonical form, defaults filled in. */
export function readObject<T extends ApiObject>(
  type: ObjectType<T>,
  document: unknown,
  options: ReadingOptions = {},
): T {
  const object = readTyped(type, document, options);
  applyDefaults(type.schema, object);
  return object;
}

/** As `readObject`, but says no more than the document does. */
function readTyped<T extends ApiObject>(type: ObjectType<T>, document: unknown, options: ReadingOptions): T {
  return reading(type, document, options, (sent) => {
    const { value, unknown } = canonicalise(type.schema, sent, options.known as T | undefined);
    options.onRead?.(unknown);
    value.kind = type.kind;
    value.apiVersion = apiVersionOf(type);
    return value;
  });
}

/**
 * The paths of fields that the type does not have, for a document that is to stay as it is. What it has in common with
 * one in which there were none is not looked at.
 */
export const unknownIn = (type: ObjectType, document: unknown, without?: unknown): readonly string[] =>
  reading(type, document, {}, (sent) => findUnknown(type.schema, sent, without));

/** Reads a document that must be one of the type. */
function reading<R>(
  type: ObjectType,
  document: unknown,
  options: ReadingOptions,
  read: (document: JsonObject) => R,
): R {
  if (!isObject(document)) throw refusal(options, `the body must be a ${type.kind} object`);
  checkTypeMeta(type, document, options);
  try {
    return read(document);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw refusal(
      options,
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${error.message}`,
    );
  }
}

/** A document may leave its kind and version out, but must not claim others. */
function checkTypeMeta(type: ObjectType, document: JsonObject, options: ReadingOptions): void {
  const { apiVersion, kind } = document;
  const expected = apiVersionOf(type);
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== expected) {
    throw refusal(
      options,
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== undefined && kind !== '' && kind !== type.kind) {
    throw refusal(options, `the kind in the data (${String(kind)}) does not match the expected kind (${type.kind})`);
  }
}

const refusal = ({ patched }: ReadingOptions, message: string): ApiError =>
  patched ? invalid('', '', '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }]) : badRequest(message);
