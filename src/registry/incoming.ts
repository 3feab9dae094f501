import { type ApiError, badRequest, invalid } from '../api/errors.ts';
import { adopt, canonicalise, findUnknown } from '../schema/derive/canonical.ts';
import { applyDefaults } from '../schema/derive/defaults.ts';
import { mismatchText } from '../schema/derive/mismatch-text.ts';
import { jsonType, TypeMismatch } from '../schema/derive/reading.ts';
import type { Draft } from '../schema/draft.ts';
import { isObject } from '../schema/json-object.ts';
import { Problems } from '../schema/problems.ts';
import type { ApiObject, ObjectType } from './resource-type.ts';

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** How a document is read. */
export interface ReadingOptions {
  /**
   * Told, once the document is read, the paths of fields that were dropped because the kind does not have them, and how to
   * say that it is refused for them.
   */
  readonly onRead?: ((unknown: readonly string[], refusal: (problem: string) => string) => void) | undefined;
  /** The document is a stored object after a patch: what does not fit is the fault of the patch. */
  readonly patched?: boolean | undefined;
  /** The text of the patch, as far as a message may show it. */
  readonly patchText?: string | undefined;
  /** What the document was made of, an object of the type: parts that are the very same need no second look. */
  readonly before?: ApiObject | undefined;
  /** Nobody else holds the document, and it is read once: the object may be made of it rather than copied from it. */
  readonly adopts?: boolean | undefined;
}

type JsonObject = { [key: string]: unknown };

/** A parsed document becomes an object of the type: typed, pruned, in canonical spelling, defaults filled in. */
export function readObject<T extends ApiObject>(
  type: ObjectType<T>,
  document: unknown,
  options: ReadingOptions = {},
): Draft<T> {
  const object = readTyped(type, document, options);
  applyDefaults(type.schema, object);
  return object;
}

/** As `readObject`, but says no more than the document does. */
function readTyped<T extends ApiObject>(type: ObjectType<T>, document: unknown, options: ReadingOptions): Draft<T> {
  return reading(type, document, options, (sent) => {
    const { value, unknown } = options.adopts
      ? adopt(type.schema, sent)
      : canonicalise(type.schema, sent, options.before);
    options.onRead?.(unknown, (problem) =>
      options.patched ? problem : unfit(type, apiVersionOf(type), type.kind, problem),
    );
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
  if (!isObject(document)) throw refusal(options, noObject(type, document));
  checkTypeMeta(type, document, options);
  try {
    return read(document);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    const problem = mismatchText(type.schema, error);
    throw refusal(options, options.patched ? problem : unfit(type, apiVersionOf(type), type.kind, problem));
  }
}

const noObject = ({ kind }: ObjectType, document: unknown): string =>
  `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ` +
  `json: cannot unmarshal ${jsonType(document)} into Go value of type ${kind}`;

/** Why a document of this version and kind is none of the type. */
function unfit(type: ObjectType, apiVersion: string, kind: string, problem: string): string {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return `${kind} in version "${version}" cannot be handled as a ${type.kind}: ${problem}`;
}

/** A document may leave its kind and version out, unless its type insists on them, but must not claim others. */
function checkTypeMeta(type: ObjectType, document: JsonObject, options: ReadingOptions): void {
  if (type.namesItself) demandTypeMeta(type, document, options);
  const expected = apiVersionOf(type);
  const apiVersion = claimed(document.apiVersion, expected);
  const kind = claimed(document.kind, type.kind);
  if (apiVersion !== expected) {
    const problem = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
    throw refusal(options, unfit(type, apiVersion, kind, problem));
  }
  if (kind !== type.kind) {
    const problem = `the kind in the data (${kind}) does not match the expected kind (${type.kind})`;
    throw refusal(options, unfit(type, apiVersion, kind, problem));
  }
}

/** Of a document that names itself another kind is a value like any other, which is invalid. */
function demandTypeMeta(type: ObjectType, document: JsonObject, options: ReadingOptions): void {
  for (const [field, name] of [
    ['kind', 'Kind'],
    ['apiVersion', 'apiVersion'],
  ] as const) {
    if (claimed(document[field], '') !== '') continue;
    const problem = `Object '${name}' is missing`;
    throw refusal(options, `the object provided is unrecognized (must be of type ${type.kind}): ${problem}`);
  }
  const [apiVersion, kind] = [claimed(document.apiVersion, ''), claimed(document.kind, '')];
  if (apiVersion !== apiVersionOf(type) || kind === type.kind) return;
  const problems = new Problems();
  problems.invalid('kind', kind, `must be ${type.kind}`);
  const { metadata } = document;
  const name = isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
  throw invalid(type.group, kind, name, problems.found);
}

const LONGEST_CLAIM = 253;

const claimed = (sent: unknown, expected: string): string =>
  sent === undefined || sent === '' ? expected : String(sent).slice(0, LONGEST_CLAIM);

function refusal({ patched, patchText }: ReadingOptions, message: string): ApiError {
  if (!patched) return badRequest(message);
  const problems = new Problems();
  if (patchText === undefined) problems.add('patch', 'FieldValueInvalid', message);
  else problems.invalid('patch', patchText, message);
  return invalid('', '', '', problems.found);
}
