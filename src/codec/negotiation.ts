import { notAcceptable } from '../api/errors.ts';
import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';
import { hasBinaryForm } from '../schema/derive/protobuf.ts';
import type { Node } from '../schema/node.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** What is sent: the object itself, a table of it, or only its metadata. */
export type Rendering = 'object' | 'table' | 'metadata';

/** How it is encoded. */
export type Media = 'json' | 'yaml' | 'protobuf';

/** How a response is written. */
export interface Format {
  readonly media: Media;
  readonly rendering: Rendering;
  /** The Content-Type of the response. */
  readonly contentType: string;
  /** The version of the meta group that a table or partial metadata is of. */
  readonly metaVersion: string;
  /** Whether JSON is laid out for people. */
  readonly indented: boolean;
  /** Whom it is written for, where readers have to wait for each other. */
  readonly reader?: string;
}

export const JSON_FORMAT: Format = {
  media: 'json',
  rendering: 'object',
  contentType: 'application/json',
  metaVersion: 'v1',
  indented: false,
};

const YAML_FORMAT: Format = { ...JSON_FORMAT, media: 'yaml', contentType: 'application/yaml' };

/** One media type of an Accept header. */
export interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of an Accept header, best first: by quality, then what names a type before ranges, then as they came. */
export function clausesOf(header: string): Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || breadth(a) - breadth(b));
}

const breadth = ({ type }: Clause): number => (type.startsWith('*/') ? 2 : type.endsWith('/*') ? 1 : 0);

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';');
  const parameters = new Map(
    rest.map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.trim().toLowerCase(), quality: Number.isNaN(quality) ? 1 : quality, parameters };
}

/** What a response holds, which decides what it can be rendered and encoded as. */
export type Content = 'item' | 'list' | 'watch' | 'plain';

/** Renderings by the name of the kind that a client asks for with `as=`, for each content. */
const ITEM = new Map<string, Rendering>([
  ['Table', 'table'],
  ['PartialObjectMetadata', 'metadata'],
]);
const LIST = new Map<string, Rendering>([
  ['Table', 'table'],
  ['PartialObjectMetadataList', 'metadata'],
]);
const RENDERINGS: Readonly<Record<Content, ReadonlyMap<string, Rendering>>> = {
  item: ITEM,
  list: LIST,
  watch: ITEM,
  plain: new Map(),
};

const META_VERSIONS = new Set(['v1', 'v1beta1']);
const ANY_TYPE = new Set(['application/*', '*/*', '']);

/** What an Accept header comes to: for what has a binary form, and for what has none. */
interface Choice {
  readonly forBinary: Format | undefined;
  readonly forOthers: Format | undefined;
}

/** What a choice takes at most, with formats of its own. */
const CHOICE_BYTES = 256;

/**
 * Chooses how to answer by the Accept header: the first clause the server can serve. Headers repeat, so the outcome is
 * remembered.
 */
export class Negotiator {
  readonly #metaGroup: string;
  /** By media type. */
  readonly #formats: ReadonlyMap<string, Format>;
  readonly #watchFormats: ReadonlyMap<string, Format>;
  readonly #known = new BoundedCache<string, Choice>({
    name: 'accept-headers',
    capacity: 256 << 10,
    sizeOf: (key) => textBytes(key) + CHOICE_BYTES,
  });

  constructor({ groups, mediaTypes: { protobuf, protobufWatch } }: Vocabulary) {
    this.#metaGroup = groups.meta;
    const binary: Format = { ...JSON_FORMAT, media: 'protobuf', contentType: protobuf };
    this.#formats = new Map([
      ['application/json', JSON_FORMAT],
      ['application/yaml', YAML_FORMAT],
      [protobuf, binary],
    ]);
    // Events follow each other without an end, which YAML has no form for.
    this.#watchFormats = new Map([
      ['application/json', JSON_FORMAT],
      [protobuf, { ...binary, contentType: protobufWatch }],
    ]);
  }

  /** `schema` is that of the objects in the response; without one it has no binary form. Throws 406. */
  choose(accept: string | undefined, content: Content = 'item', schema?: Node): Format {
    const format = this.#find(accept, content, schema);
    if (!format) throw notAcceptable([...this.#formatsOf(content).keys()]);
    return format;
  }

  /** As `choose`, for what has to be told even where it is not accepted: then it is JSON. */
  chooseAnyway(accept: string | undefined, content: Content, schema?: Node): Format {
    return this.#find(accept, content, schema) ?? JSON_FORMAT;
  }

  #find(accept: string | undefined, content: Content, schema: Node | undefined): Format | undefined {
    if (accept === undefined || accept === 'application/json' || accept === '*/*' || accept === '') return JSON_FORMAT;
    const { forBinary, forOthers } = this.#choiceFor(accept, content);
    if (forBinary === forOthers) return forBinary;
    return schema && hasBinaryForm(schema) ? forBinary : forOthers;
  }

  #choiceFor(accept: string, content: Content): Choice {
    const key = `${content} ${accept}`;
    const known = this.#known.get(key);
    if (known) return known;
    const choice = this.#choiceOf(accept, content);
    this.#known.set(key, choice);
    return choice;
  }

  #choiceOf(accept: string, content: Content): Choice {
    const servable = clausesOf(accept).flatMap((clause) => this.#formatOf(clause, content) ?? []);
    // Metadata by itself has a binary form whatever it is the metadata of.
    const suitsAll = ({ media, rendering }: Format): boolean => media !== 'protobuf' || rendering === 'metadata';
    return { forBinary: servable[0], forOthers: servable.find(suitsAll) };
  }

  #formatOf({ type, parameters }: Clause, content: Content): Format | undefined {
    const format = this.#formatsOf(content).get(ANY_TYPE.has(type) ? 'application/json' : type);
    // Whoever can read a stream may say so where there is none, except of what is not about objects.
    const stream = parameters.get('stream') ?? '';
    if (!format || (stream !== '' && (stream !== 'watch' || content === 'plain'))) return undefined;
    const laidOut =
      parameters.get('pretty') === '1' && format.media === 'json' ? { ...format, indented: true } : format;
    const as = parameters.get('as');
    return as === undefined ? laidOut : this.#rendered(laidOut, RENDERINGS[content].get(as), parameters);
  }

  #formatsOf(content: Content): ReadonlyMap<string, Format> {
    return content === 'watch' ? this.#watchFormats : this.#formats;
  }

  /** The format with another rendering; a table has no binary form. */
  #rendered(format: Format, rendering: Rendering | undefined, parameters: Clause['parameters']): Format | undefined {
    const metaVersion = parameters.get('v') ?? '';
    if (!rendering || parameters.get('g') !== this.#metaGroup || !META_VERSIONS.has(metaVersion)) return undefined;
    return rendering === 'table' && format.media === 'protobuf' ? undefined : { ...format, rendering, metaVersion };
  }
}
