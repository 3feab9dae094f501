import { badRequest, unsupportedMediaType } from '../errors.ts';
import { type Expectation, parseProtobuf } from './protobuf-body.ts';

/** How deep a document may nest. Deeper ones serve no kind and could exhaust the stack of whatever walks them. */
const DEEPEST = 200;

/** `application/json; charset=utf-8` -> `application/json`. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Refuses documents that nest too deeply, by their text, before anything recursive sees them. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > DEEPEST) throw badRequest(`the document nests deeper than ${DEEPEST} levels`);
    } else if (code === 125 || code === 93) depth--;
  }
}

/** Whether the text opens often enough to nest too deeply; most documents do not, and need no closer look. */
function mayNestDeeply(text: string): boolean {
  let openings = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++openings > DEEPEST) return true;
    }
  }
  return false;
}

export function parseJson(text: string): unknown {
  if (mayNestDeeply(text)) checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`the body is not valid JSON: ${(error as Error).message}`);
  }
}

/** YAML is slow to load and rare on the wire, so it is loaded when first needed. */
export async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { uniqueKeys: false, maxAliasCount: 100, version: '1.1' } as object);
  const [error] = document.errors;
  if (error) throw badRequest(`the body is not valid YAML: ${error.message.split('\n', 1)[0]}`);
  return document.toJS({ maxAliasCount: 100 });
}

const startsLikeJson = (text: string): boolean => /^\s*[{[]/.test(text.slice(0, 100));

/** A document to apply: YAML, or JSON, which is YAML too. */
export async function parseYamlOrJson(body: Buffer): Promise<unknown> {
  const text = body.toString('utf8');
  return startsLikeJson(text) ? parseJson(text) : parseYaml(text);
}

/** What bodies in binary are called, and should hold. */
export interface BinaryBodies {
  readonly mediaType: string;
  readonly expectation: Expectation;
}

/** A request body as a JSON value. */
export async function parseBody(
  body: Buffer,
  contentType: string | undefined,
  { mediaType, expectation }: BinaryBodies,
): Promise<unknown> {
  switch (mediaTypeOf(contentType)) {
    case '':
    case 'application/json':
      return parseJson(body.toString('utf8'));
    case 'application/yaml':
      return parseYamlOrJson(body);
    case mediaType:
      return parseProtobuf(body, mediaType, expectation);
    default:
      throw unsupportedMediaType(['application/json', 'application/yaml', mediaType]);
  }
}
