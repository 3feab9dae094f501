import { apiVersionOf } from '../../registry/incoming.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { isList, isObject, type JsonObject } from '../../schema/json-object.ts';

/** What is wrong with an answer, in words that can follow "conversion webhook for ...". */
export class BadConversion extends Error {
  override readonly name = 'BadConversion';
}

/** The versions of the question that are known. They look alike. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

export interface ReviewName {
  /** `apiextensions.../v1` */
  readonly apiVersion: string;
  readonly uid: string;
}

export const reviewOf = ({ apiVersion, uid }: ReviewName, objects: readonly ApiObject[], to: ResourceType): object => ({
  kind: 'ConversionReview',
  apiVersion,
  request: { uid, desiredAPIVersion: apiVersionOf(to), objects },
});

/**
 * The objects in an answer, each with the metadata that the one it was made of has: of that, a webhook can change labels
 * and annotations alone. Throws a `BadConversion`.
 */
export function convertedIn(
  answer: unknown,
  review: ReviewName,
  objects: readonly ApiObject[],
  to: ResourceType,
): readonly ApiObject[] {
  const converted = objectsIn(responseIn(answer, review));
  if (converted.length !== objects.length) {
    throw new BadConversion(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((object, at) => {
    try {
      return taken(converted[at], object, to);
    } catch (error) {
      if (!(error instanceof BadConversion)) throw error;
      throw new BadConversion(`returned invalid converted object at index ${at}: ${error.message}`);
    }
  });
}

function responseIn(answer: unknown, { apiVersion, uid }: ReviewName): JsonObject {
  if (!isObject(answer)) throw new BadConversion('failed: the answer is no object');
  const { kind } = answer;
  if (kind !== 'ConversionReview' || answer.apiVersion !== apiVersion) {
    const got = `${shown(answer.apiVersion)}, Kind=${shown(kind)}`;
    throw new BadConversion(`failed: expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${got}`);
  }
  const { response } = answer;
  if (!isObject(response)) throw new BadConversion('failed: no response provided');
  if (response.uid !== uid) {
    throw new BadConversion(
      `failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(shown(response.uid))}`,
    );
  }
  return response;
}

function objectsIn({ result, convertedObjects }: JsonObject): readonly unknown[] {
  const { status, message } = isObject(result) ? result : {};
  if (status !== 'Success') {
    const text = typeof message === 'string' ? message : '';
    throw new BadConversion(
      `failed: ${text === '' ? `response.result.status was '${shown(status)}', not 'Success'` : shown(text)}`,
    );
  }
  return isList(convertedObjects) ? convertedObjects : [];
}

/** Fields of metadata that must say the same as before. */
const IDENTITY = ['name', 'namespace', 'uid'] as const;

function taken(converted: unknown, { kind, metadata }: ApiObject, to: ResourceType): ApiObject {
  if (!isObject(converted)) throw new BadConversion('no object');
  if (converted.apiVersion !== apiVersionOf(to)) {
    const received = shown(converted.apiVersion);
    throw new BadConversion(`invalid groupVersion (expected ${apiVersionOf(to)}, received ${received})`);
  }
  if (converted.kind !== kind) {
    throw new BadConversion(`invalid kind (expected ${kind}, received ${shown(converted.kind)})`);
  }
  const sent = converted.metadata;
  if (!isObject(sent)) throw new BadConversion('invalid metadata: there is none');
  for (const name of IDENTITY) {
    if ((sent[name] ?? '') !== (metadata[name] ?? '')) {
      throw new BadConversion(
        `invalid metadata: must have the same ${name}: ${metadata[name]} != ${shown(sent[name])}`,
      );
    }
  }
  const { labels: _labels, annotations: _annotations, ...kept } = metadata;
  const labels = textsIn(sent, 'labels');
  const annotations = textsIn(sent, 'annotations');
  return { ...converted, kind, apiVersion: apiVersionOf(to), metadata: { ...kept, ...labels, ...annotations } };
}

function textsIn(
  metadata: JsonObject,
  name: 'labels' | 'annotations',
): { readonly [name: string]: Record<string, string> } {
  const texts = metadata[name] ?? undefined;
  if (texts === undefined) return {};
  if (!isObject(texts)) throw new BadConversion(`invalid metadata.${name}: no object of texts`);
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string') throw new BadConversion(`invalid metadata.${name}: ${shown(key)} is no text`);
  }
  return { [name]: texts as Record<string, string> };
}

const LONGEST_SHOWN = 1000;

/** As much as a message can hold of what a webhook sent. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, LONGEST_SHOWN);
