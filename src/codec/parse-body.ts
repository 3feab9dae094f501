import { badRequest, tooManyEntries, tooManyValues, unsupportedMediaType } from '../api/errors.ts';
import { atOnce, inSteps, type Rest, type Steps } from '../runtime/pacing.ts';
import { DEEPEST, MOST_ENTRIES, MOST_VALUES } from '../schema/document-limits.ts';
import { pathText } from '../schema/path.ts';
import { jsonProblem } from './json-problem.ts';
import { parseJsonInSteps } from './json-reading.ts';
import { countKeys, type Survey, survey, wideObject } from './json-text.ts';
import { MalformedBody } from './malformed-body.ts';
import { type Expectation, parseProtobuf } from './protobuf-body.ts';
import { readRepeatedKeys } from './repeated-keys.ts';
import { readLongYaml } from './yaml-thread.ts';

/** `application/json; charset=utf-8` -> `application/json`. */
export function mediaTypeOf(contentType = ''): string {
  const end = contentType.indexOf(';');
  const type = end < 0 ? contentType : contentType.slice(0, end);
  return type.trim().toLowerCase();
}

/** A document as it was sent. */
export interface SentDocument {
  /** Its JSON value. */
  readonly value: unknown;
  /** The paths of keys that an object in it has more than once; none for most. */
  readonly repeated: readonly string[];
}

const NONE: readonly string[] = [];

/** Which of the values of a repeated key counts: the last, or all of them merged, as with documents that are objects. */
export type Repeats = 'last' | 'merged';

/** `most`: how many values the document may have. */
export const parseJson = (text: string, repeats: Repeats, most = MOST_VALUES): SentDocument =>
  atOnce(readJson(text, repeats, most));

/** As `parseJson`, in steps: a long document takes long. */
export function* readJson(text: string, repeats: Repeats, most = MOST_VALUES): Steps<SentDocument> {
  const surveyed = survey(text, { values: most, depth: DEEPEST });
  if (surveyed.depth > DEEPEST) throw badRequest(`the document nests deeper than ${DEEPEST} levels`);
  if (surveyed.values > most) throw tooManyValues(most);
  yield;
  refuseWide(text, surveyed);
  yield;
  const value = yield* parsed(text, surveyed);
  yield;
  return yield* sentDocument(text, value, surveyed, repeats);
}

function refuseWide(text: string, { keys }: Survey): void {
  const wide = keys > MOST_ENTRIES ? wideObject(text, MOST_ENTRIES, DEEPEST) : undefined;
  if (wide) throw tooManyEntries(pathText(wide).slice(0, LONGEST_PATH), MOST_ENTRIES);
}

/** Of the path to what is refused. */
const LONGEST_PATH = 1000;

/** Keys are counted in the text and in what became of it: only documents that lost some are looked at more closely. */
function* sentDocument(text: string, value: unknown, surveyed: Survey, repeats: Repeats): Steps<SentDocument> {
  const { keys, changedNumber } = surveyed;
  if (changedNumber !== undefined) {
    // What it is may be a secret.
    throw badRequest(`a number of ${changedNumber.length} characters is too large to be kept exactly`);
  }
  if (keys === countKeys(value)) return { value, repeated: NONE };
  const { paths, merged } = yield* readRepeatedKeys(text);
  return { value: repeats === 'merged' ? merged : value, repeated: paths };
}

/** One call of the engine for more values than this would hold others up. */
const MANY_VALUES = 2_000;

function* parsed(text: string, { values }: Survey): Steps<unknown> {
  try {
    return values > MANY_VALUES ? yield* parseJsonInSteps(text) : JSON.parse(text);
  } catch {
    throw new MalformedBody(jsonProblem(text));
  }
}

const startsLikeJson = (text: string): boolean => /^\s*[{[]/.test(text.slice(0, 100));

/**
 * A document in YAML, or in JSON, which is YAML too, and far quicker to read. If it is long, there is a rest now and then.
 * `sender`: whose it is. `most`: how many values it may have.
 */
export async function parseYamlOrJson(
  body: Buffer,
  rest: Rest,
  sender: string,
  most = MOST_VALUES,
): Promise<SentDocument> {
  const text = body.toString('utf8');
  const json = startsLikeJson(text) ? await inSteps(jsonIn(text, most), rest) : undefined;
  if (json) return json;
  return readLongYaml(text, { deepest: DEEPEST, values: most, entries: MOST_ENTRIES }, rest, sender);
}

/** Undefined for a text that is no JSON, as mappings and lists in the flow style of YAML may be. */
function* jsonIn(text: string, most: number): Steps<SentDocument | undefined> {
  const surveyed = survey(text, { values: most, depth: DEEPEST });
  if (surveyed.depth > DEEPEST) return undefined;
  // Commas separate values in YAML as well.
  if (surveyed.values > most) throw tooManyValues(most);
  yield;
  let value: unknown;
  try {
    value = surveyed.values > MANY_VALUES ? yield* parseJsonInSteps(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
  yield;
  refuseWide(text, surveyed);
  return yield* sentDocument(text, value, surveyed, 'last');
}

/** What bodies in binary are called, and should hold. */
export interface BinaryBodies {
  readonly mediaType: string;
  readonly expectation: Expectation;
}

/** The body of a request of `sender`. If it is long, there is a rest now and then. */
export async function parseBody(
  body: Buffer,
  contentType: string | undefined,
  { mediaType, expectation }: BinaryBodies,
  rest: Rest,
  sender: string,
): Promise<SentDocument> {
  switch (mediaTypeOf(contentType)) {
    case '':
    case 'application/json':
      return inSteps(readJson(body.toString('utf8'), 'merged'), rest);
    case 'application/yaml':
      return parseYamlOrJson(body, rest, sender);
    case mediaType:
      return { value: parseProtobuf(body, mediaType, expectation), repeated: NONE };
    default:
      throw unsupportedMediaType(['application/json', 'application/yaml', mediaType]);
  }
}
