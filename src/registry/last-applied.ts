import { ApiError } from '../api/errors.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { compare, DuplicateElement, documentFields } from '../apply/difference.ts';
import { FieldSet } from '../apply/field-set.ts';
import type { Application } from '../apply/ownership.ts';
import { parseJson } from '../codec/parse-body.ts';
import { LARGEST_ANNOTATIONS, sizeOfAnnotations } from '../meta/labels-validation.ts';
import type { Draft } from '../schema/draft.ts';
import { isObject, type JsonObject } from '../schema/json-object.ts';
import { sortedJson } from '../schema/sorted-json.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { apiVersionOf, unknownIn } from './incoming.ts';
import type { ApiObject, ObjectType } from './resource-type.ts';

/** The manager of the client, in both vocabularies. */
const CLIENT = 'kubectl';

/**
 * Objects that a client applied by itself, before it left that to the server, carry what it applied last in an
 * annotation. When its manager applies on the server, it may take over what the annotation says as long as that is still
 * so; and the annotation is kept up to date, so that the client can go back to its old way. Any other manager has no part
 * in this.
 */
const appliesForClient = (type: ObjectType, { document: { applier } }: Application): boolean =>
  applier.manager === CLIENT && applier.apiVersion === apiVersionOf(type);

/** The application with what the annotation of the live object excuses. `shown` gives the live object in the type's version. */
export function excusing(
  type: ObjectType,
  live: ApiObject,
  shown: () => unknown,
  application: Application,
  vocabulary: Vocabulary,
): Application {
  if (!appliesForClient(type, application)) return application;
  const text = live.metadata.annotations?.[vocabulary.annotations.lastAppliedConfiguration];
  if (!text) return application;
  const { document, force } = application;
  return { document, force, excused: () => stillAsApplied(type, text, shown()) };
}

/** The places whose values are still those of the last document; none when it cannot be read. */
function stillAsApplied(type: ObjectType, text: string, live: unknown): FieldSet {
  const document = readLastApplied(type, text);
  if (!document) return FieldSet.EMPTY;
  const sharing = sharingOf(type.schema);
  try {
    return documentFields(sharing, document).difference(compare(sharing, document, live).all);
  } catch (error) {
    if (error instanceof DuplicateElement) return FieldSet.EMPTY;
    throw error;
  }
}

/** Undefined for anything but a document of the very type and version. */
function readLastApplied(type: ObjectType, text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(text, 'last');
    const isOfType = isObject(value) && value.apiVersion === apiVersionOf(type) && value.kind === type.kind;
    return isOfType && unknownIn(type, value).length === 0 ? value : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Lets the annotation of an object, if it has one, say what has been applied now. Nobody owns the annotation for that. It
 * goes when there is no room for it.
 */
export function noteLastApplied(
  type: ObjectType,
  { metadata }: Draft<ApiObject>,
  application: Application,
  vocabulary: Vocabulary,
): void {
  const name = vocabulary.annotations.lastAppliedConfiguration;
  if (!metadata.annotations?.[name] || !appliesForClient(type, application)) return;
  const { [name]: _last, ...others } = metadata.annotations;
  const annotations = { ...others, [name]: textOf(application.document.document, name) };
  metadata.annotations = sizeOfAnnotations(annotations) > LARGEST_ANNOTATIONS ? others : annotations;
}

/** As clients write it: with sorted keys, without itself, on a line of its own. */
function textOf(document: JsonObject, name: string): string {
  return `${sortedJson(withoutAnnotation(document, name))}\n`;
}

function withoutAnnotation(document: JsonObject, name: string): JsonObject {
  const { metadata } = document;
  if (!isObject(metadata) || !isObject(metadata.annotations)) return document;
  const { [name]: _own, ...annotations } = metadata.annotations;
  return { ...document, metadata: { ...metadata, annotations } };
}
