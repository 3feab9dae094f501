import type { Alias, CST, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { ApiError, badRequest, tooManyEntries, tooManyValues } from '../api/errors.ts';
import { ownText } from '../bounds/own-memory.ts';
import { countValues, wideValue } from '../schema/document-limits.ts';
import { isObject, type JsonObject, setOwn } from '../schema/json-object.ts';
import { pathText } from '../schema/path.ts';
import { plainValue, type ScalarValue, taggedValue } from './yaml-scalars.ts';

/** A document that was YAML, as JSON. */
export interface YamlDocument {
  /** Null for an empty document. */
  readonly value: unknown;
  /** The paths of keys that a mapping has more than once; the last one counts. Where there are very many, the first of them. */
  readonly repeated: readonly string[];
}

/** What a document may have at most. */
export interface YamlLimits {
  /** Levels of nesting. */
  readonly deepest: number;
  /** Fields, entries and elements; any number unless given. */
  readonly values?: number;
  /** Entries of one mapping; any number unless given. */
  readonly entries?: number;
}

/** A text that is no YAML. The message quotes it: for texts that hold secrets there is the line. */
export class InvalidYaml extends ApiError {
  readonly line: number;

  constructor(problem: string, line: number) {
    super('BadRequest', `the body is not valid YAML: ${problem}`);
    this.line = line;
  }
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/**
 * Reads the first document of a text; what comes after it is not looked at. YAML is slow to load and rare on the wire, so
 * it is loaded when first needed.
 */
export async function readYaml(text: string, limits: YamlLimits): Promise<YamlDocument> {
  const { deepest, values = Number.POSITIVE_INFINITY, entries = Number.POSITIVE_INFINITY } = limits;
  const yaml = await import('yaml');
  // All scalars are texts to the library: `plainValue` knows what they mean.
  const composer = new yaml.Composer({
    uniqueKeys: false,
    version: '1.1',
    schema: 'failsafe',
    resolveKnownTags: false,
    merge: false,
  });
  const tokens = firstDocument(yaml, text, deepest, values);
  const [document] = answering(() => [...composer.compose(tokens, true, text.length)]);
  const [error] = document?.errors ?? [];
  if (error) throw new InvalidYaml(error.message, lineAt(text, error.pos[0]));
  const reader = new Reader(yaml, deepest);
  const value = reader.read(document?.contents ?? null);
  if (countValues(value, values) > values) throw tooManyValues(values);
  const wide = wideValue(value, entries);
  if (wide) throw tooManyEntries(pathText(wide).slice(0, LONGEST_PATH), entries);
  return { value, repeated: [...reader.repeated] };
}

/** How many values a document has at least, by the marks that stand before them, or between two. */
class ValueCount {
  #items = 0;
  #keys = 0;
  #colons = 0;
  #commas = 0;
  #isScalar = false;

  /** Keys may have marks of three sorts, of which each value has one of each at most. */
  get least(): number {
    return this.#items + Math.max(this.#keys, this.#colons, this.#commas);
  }

  note(lexeme: string): void {
    const isScalar = this.#isScalar;
    this.#isScalar = lexeme === SCALAR;
    if (isScalar) return;
    if (lexeme === '-') this.#items++;
    else if (lexeme === '?') this.#keys++;
    else if (lexeme === ':') this.#colons++;
    else if (lexeme === ',') this.#commas++;
  }
}

/** Comes before the text of a scalar. */
const SCALAR = '\u001f';
/** Comments and blank lines take as long as anything else: there is room for some around each value. */
const LEXEMES_PER_VALUE = 20;
const LEXEMES_BESIDES = 1_000;

/**
 * The tokens of a text, to the end of its first document. Nesting is watched while they are made, because what comes after
 * is recursive, and because a stack that is exhausted inside the engine ends the process. Each level takes at most two
 * places on the parser's stack. A document of too many values is refused before all of it is read: that would take far
 * longer than any that is taken.
 */
function* firstDocument({ Lexer, Parser }: Yaml, text: string, deepest: number, values: number): Generator<CST.Token> {
  const parser = new Parser();
  const count = new ValueCount();
  const mostLexemes = LEXEMES_PER_VALUE * values + LEXEMES_BESIDES;
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count.note(lexeme);
    if (count.least > values) throw tooManyValues(values);
    if (++lexemes > mostLexemes) throw tooManyLexemes(mostLexemes);
    for (const token of parser.next(lexeme)) {
      yield token;
      if (token.type === 'document') return;
    }
    if (parser.stack.length > 2 * deepest) throw tooDeep(deepest);
  }
  yield* parser.end();
}

const tooManyLexemes = (most: number): ApiError =>
  badRequest(`the document has more than ${most} words, marks, comments and ends of lines`);

const tooDeep = (deepest: number): ApiError => badRequest(`the document nests deeper than ${deepest} levels`);

/** What the library throws is about the text. */
function answering<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw unreadable(error instanceof Error ? error.message : 'it cannot be read');
  }
}

const unreadable = (why: string): ApiError => badRequest(`the body is not valid YAML: ${why}`);

type Yaml = typeof import('yaml');

const MOST_PATHS = 1000;
/** Of the path to what is refused. */
const LONGEST_PATH = 1000;

/** Aliases can grow a document without end: so many characters and nodes may stand where aliases are. */
const MOST_ALIASED = 400_000;

/** Makes the JSON value of a document. */
class Reader {
  readonly repeated = new Set<string>();
  readonly #yaml: Yaml;
  readonly #deepest: number;
  readonly #path: (string | number)[] = [];
  /** The latest node of each anchor. */
  readonly #anchors = new Map<string, unknown>();
  readonly #targets = new Map<Alias, unknown>();
  /** Nodes with an anchor that are being read. */
  readonly #open = new Set<unknown>();
  #aliases = 0;
  #aliased = 0;

  constructor(yaml: Yaml, deepest: number) {
    this.#yaml = yaml;
    this.#deepest = deepest;
  }

  read(node: unknown): unknown {
    const { isAlias, isMap, isSeq, isScalar } = this.#yaml;
    if (this.#path.length > this.#deepest) throw tooDeep(this.#deepest);
    if (isAlias(node)) return this.#readAlias(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    if (this.#aliases > 0) this.#countAliased(node);
    if (!node.anchor) return this.#readContent(node);
    if (this.#aliases === 0) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    const value = this.#readContent(node);
    this.#open.delete(node);
    return value;
  }

  #readContent(node: Scalar | YAMLMap | YAMLSeq): unknown {
    if (this.#yaml.isScalar(node)) return scalarValue(node);
    if (this.#yaml.isMap(node)) return this.#readMap(node);
    return node.items.map((item, at) => this.#readAt(at, item));
  }

  #readAt(segment: string | number, node: unknown): unknown {
    this.#path.push(segment);
    const value = this.read(node);
    this.#path.pop();
    return value;
  }

  /** Read again where it is used, so that no two places share a value. */
  #readAlias(alias: Alias): unknown {
    // An anchor may be given again: an alias means the node that had it last, before the alias.
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    if (target === undefined) throw unreadable(`there is no anchor ${JSON.stringify(alias.source.slice(0, 100))}`);
    if (this.#open.has(target)) throw unreadable(`the anchor ${JSON.stringify(alias.source)} contains itself`);
    this.#targets.set(alias, target);
    this.#aliases++;
    const value = this.read(target);
    this.#aliases--;
    return value;
  }

  #countAliased(node: Scalar | YAMLMap | YAMLSeq): void {
    this.#aliased += 1 + (this.#yaml.isScalar(node) ? textOf(node).length : 0);
    if (this.#aliased > MOST_ALIASED) throw unreadable('it contains excessive aliasing');
  }

  #readMap({ items }: YAMLMap): JsonObject {
    const result: JsonObject = {};
    for (const { key, value } of items) {
      if (this.#isMerge(key)) {
        this.#merge(result, value);
        continue;
      }
      const name = this.#keyText(key);
      if (Object.hasOwn(result, name)) this.#note(name);
      setOwn(result, name, this.#readAt(name, value));
    }
    return result;
  }

  /** `<<` without quotes stands for the entries of other mappings. */
  #isMerge(key: unknown): boolean {
    return this.#yaml.isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
  }

  /** What the mapping says itself counts more, and what comes first. */
  #merge(into: JsonObject, node: unknown): void {
    const sources: unknown = this.read(node);
    for (const source of Array.isArray(sources) ? sources : [sources]) {
      if (!isObject(source)) throw unreadable('only mappings can be merged');
      for (const name of Object.keys(source)) {
        if (Object.hasOwn(into, name)) this.#note(name);
        else setOwn(into, name, source[name]);
      }
    }
  }

  /** Keys of JSON are texts. */
  #keyText(key: unknown): string {
    const value = this.read(key);
    if (value === null || typeof value === 'object') throw unreadable('a key is no text');
    return String(value);
  }

  #note(name: string): void {
    if (this.repeated.size < MOST_PATHS) this.repeated.add(pathText([...this.#path, name]));
  }
}

const textOf = ({ value }: Scalar): string => (typeof value === 'string' ? value : '');

/** A text that a document holds is a piece of the whole, which must not be kept for its sake. */
function scalarValue(scalar: Scalar): ScalarValue {
  const text = textOf(scalar);
  const value = scalar.tag ? taggedValue(scalar.tag, text) : scalar.type === 'PLAIN' ? plainValue(text) : text;
  return typeof value === 'string' ? ownText(value) : value;
}
