import type { CST, Node, ParsedNode, Scalar, Tags, YAMLMap } from 'yaml';
import { ApiError, badRequest } from '../errors.ts';
import { pathText } from '../schema/path.ts';

/** A document that was YAML, as JSON. */
export interface YamlDocument {
  readonly value: unknown;
  /** The paths of keys that a mapping has more than once; the last one counts. */
  readonly repeated: readonly string[];
}

/** YAML is slow to load and rare on the wire, so it is loaded when first needed. `deepest`: how deep it may nest. */
export async function readYaml(text: string, deepest: number): Promise<YamlDocument> {
  const yaml = await import('yaml');
  const composer = new yaml.Composer({ uniqueKeys: false, version: '1.1', intAsBigInt: true, customTags: jsonTags });
  const [document, another] = answering(() => [...composer.compose(tokensOf(yaml, text, deepest), true, text.length)]);
  const [error] = document?.errors ?? [];
  if (error) throw badRequest(`the body is not valid YAML: ${error.message}`);
  if (!document || another) throw badRequest('the body is not valid YAML: it holds several documents');
  const inspector = new Inspector(yaml, deepest);
  inspector.inspect(document.contents);
  return { value: answering(() => document.toJS({ maxAliasCount: MOST_ALIASES })), repeated: [...inspector.repeated] };
}

/**
 * The tokens of a text. Nesting is watched while they are made, because what comes after is recursive, and because a
 * stack that is exhausted inside the engine ends the process. Each level takes at most two places on the parser's stack.
 */
function* tokensOf({ Lexer, Parser }: Yaml, text: string, deepest: number): Generator<CST.Token> {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > 2 * deepest) throw tooDeep(deepest);
  }
  yield* parser.end();
}

const tooDeep = (deepest: number): ApiError => badRequest(`the document nests deeper than ${deepest} levels`);

const MOST_ALIASES = 100;

/** Without what has no form in JSON, and without numbers that look like times: `22:22` is a text to everyone else. */
const jsonTags = (tags: Tags): Tags =>
  tags
    .filter((tag) => typeof tag !== 'object' || !(NOT_JSON.test(tag.tag) || ('format' in tag && tag.format === 'TIME')))
    .map((tag) => {
      const isNumber =
        typeof tag === 'object' && 'test' in tag && tag.test && ['.', 'e5'].some((text) => tag.test?.test(text));
      return isNumber ? { ...tag, test: tag.format === 'EXP' ? EXPONENTIAL : FRACTIONAL } : tag;
    });

/** The library takes a dot, or an exponent alone, for numbers too. */
const FRACTIONAL = /^[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*\.[0-9_]*)$/;
const EXPONENTIAL = /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)[eE][-+]?[0-9]+$/;

const NOT_JSON = /:(timestamp|binary|omap|pairs|set)$/;

/** What the library throws is about the text. */
function answering<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(`the body is not valid YAML: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}

type Yaml = typeof import('yaml');

/** Looks at every node of a document: for keys that repeat, and for numbers that JSON cannot hold. */
class Inspector {
  readonly repeated = new Set<string>();
  private readonly yaml: Yaml;
  private readonly deepest: number;
  private readonly path: (string | number)[] = [];

  constructor(yaml: Yaml, deepest: number) {
    this.yaml = yaml;
    this.deepest = deepest;
  }

  inspect(node: ParsedNode | Node | null): void {
    const { isMap, isSeq, isScalar } = this.yaml;
    if (this.path.length > this.deepest) throw tooDeep(this.deepest);
    if (isScalar(node)) settleNumber(node);
    else if (isSeq(node)) for (const [at, item] of node.items.entries()) this.inspectAt(at, item);
    else if (isMap(node)) this.inspectEntries(node);
  }

  private inspectEntries({ items }: YAMLMap): void {
    const seen = new Set<string>();
    for (const { key, value } of items) {
      const name = keyText(this.yaml.isScalar(key) ? key.value : key);
      if (seen.has(name) && name !== MERGE) this.repeated.add(pathText([...this.path, name]));
      seen.add(name);
      this.inspectAt(name, value);
    }
  }

  private inspectAt(segment: string | number, node: unknown): void {
    if (!this.yaml.isNode(node)) return;
    this.path.push(segment);
    this.inspect(node);
    this.path.pop();
  }
}

/** Stands for the entries of other mappings, of which there may be several. */
const MERGE = '<<';

const keyText = (key: unknown): string => (key === null ? '' : String(key));

function settleNumber(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value === 'bigint') {
    scalar.value = Number(value);
    if (BigInt(Math.trunc(Number(value))) !== value)
      throw badRequest(`the number ${value} is too large to be kept exactly`);
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw badRequest(`${scalar.source ?? value} is no number that can be kept`);
  }
}
