import { dns1035Label, pathSegment } from '../../../meta/formats.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { validateMetadata } from '../../../registry/metadata-validation.ts';
import { settle } from '../../../schema/derive/canonical.ts';
import { isObject, type JsonObject } from '../../../schema/json-object.ts';
import type { Path } from '../../../schema/path.ts';
import { Problems } from '../../../schema/problems.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { type Walk, walkOf } from './schema-walk.ts';

/** Finds what is wrong with objects inside of others, as objects; undefined where a schema has none. */
export const embeddedResources = (schema: JSONSchemaProps, vocabulary: Vocabulary): Walk | undefined =>
  walkOf(schema, (place) => {
    if (!schemaExtensions(place, vocabulary).embeddedResource) return undefined;
    return (value, path, problems) => {
      if (isObject(value)) validateResource(value, path, problems, vocabulary);
    };
  });

function validateResource(value: JsonObject, path: Path, problems: Problems, vocabulary: Vocabulary): void {
  validateApiVersion(value.apiVersion, path.child('apiVersion'), problems);
  validateKind(value.kind, path.child('kind'), problems);
  if (isObject(value.metadata)) validateMeta(value.metadata, path, problems, vocabulary);
}

/** Stands for the name that an object inside of another need not have. */
const ANY_NAME = 'name';

/** Held to the rules for metadata of any object, which has been read as such. */
function validateMeta(meta: JsonObject, path: Path, problems: Problems, vocabulary: Vocabulary): void {
  const named = settle(ObjectMeta, { name: ANY_NAME, ...meta });
  const own = new Problems();
  const type = { group: OTHER_GROUP, namespaced: Boolean(named.namespace), nameRule: pathSegment };
  validateMetadata(named, type, own, { vocabulary });
  for (const { field, reason, message } of own.found) problems.add(`${path}.${field}`, reason, message);
}

/** Of no built-in kind. */
const OTHER_GROUP = 'embedded';

const EMPTY = 'must not be empty';

function validateApiVersion(apiVersion: unknown, path: Path, problems: Problems): void {
  if (apiVersion === undefined) problems.required(path, EMPTY);
  else if (typeof apiVersion !== 'string') problems.invalid(path, apiVersion, 'must be a string');
  else if (apiVersion === '') problems.invalid(path, apiVersion, EMPTY);
  else if (apiVersion.split('/', 3).length > 2) {
    problems.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  }
}

function validateKind(kind: unknown, path: Path, problems: Problems): void {
  if (kind === undefined) problems.required(path, EMPTY);
  else if (typeof kind !== 'string') problems.invalid(path, kind, 'must be a string');
  else if (kind === '') problems.invalid(path, kind, EMPTY);
  else {
    const problem = dns1035Label(kind.toLowerCase());
    if (problem !== undefined) {
      problems.invalid(path, kind, `may have mixed case, but should otherwise match: ${problem}`);
    }
  }
}
