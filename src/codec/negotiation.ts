import { notAcceptable } from '../errors.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** What is sent: the object itself, a table of it, or only its metadata. */
export type Rendering = 'object' | 'table' | 'metadata';

/** How a response is written. */
export interface Format {
  readonly media: 'json' | 'yaml';
  readonly rendering: Rendering;
  /** The Content-Type of the response. */
  readonly contentType: string;
  /** The version of the meta group that a table or partial metadata is of. */
  readonly metaVersion: string;
}

export const JSON_FORMAT: Format = {
  media: 'json',
  rendering: 'object',
  contentType: 'application/json',
  metaVersion: 'v1',
};

const YAML_FORMAT: Format = { ...JSON_FORMAT, media: 'yaml', contentType: 'application/yaml' };

/** One media type of an Accept header. */
export interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of an Accept header, best first; equal qualities keep their order. */
export function clausesOf(header: string): Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
}

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

/** What a response holds, which decides what it can be rendered as. */
export type Content = 'item' | 'list' | 'plain';

/** Renderings by the name of the kind that a client asks for with `as=`, for each content. */
const RENDERINGS: Readonly<Record<Content, ReadonlyMap<string, Rendering>>> = {
  item: new Map([
    ['Table', 'table'],
    ['PartialObjectMetadata', 'metadata'],
  ]),
  list: new Map([
    ['Table', 'table'],
    ['PartialObjectMetadataList', 'metadata'],
  ]),
  plain: new Map(),
};

const META_VERSIONS = new Set(['v1', 'v1beta1']);
const JSON_TYPES = new Set(['application/json', 'application/*', '*/*', '']);

function formatOf({ type, parameters }: Clause, metaGroup: string, content: Content): Format | undefined {
  const as = parameters.get('as');
  if (as === undefined) {
    if (JSON_TYPES.has(type)) return JSON_FORMAT;
    return type === 'application/yaml' ? YAML_FORMAT : undefined;
  }
  const rendering = RENDERINGS[content].get(as);
  const metaVersion = parameters.get('v') ?? '';
  if (!rendering || parameters.get('g') !== metaGroup || !META_VERSIONS.has(metaVersion)) return undefined;
  const media = JSON_TYPES.has(type) ? JSON_FORMAT : type === 'application/yaml' ? YAML_FORMAT : undefined;
  return media && { ...media, rendering, metaVersion };
}

/**
 * Chooses how to answer by the Accept header: the first clause the server can serve. Headers repeat, so the outcome is
 * remembered; the memory is bounded because clients choose the texts.
 */
export class Negotiator {
  private readonly metaGroup: string;
  private readonly offered: readonly string[];
  private readonly known = new Map<string, Format | undefined>();

  constructor({ groups, mediaTypes }: Vocabulary) {
    this.metaGroup = groups.meta;
    this.offered = ['application/json', 'application/yaml', mediaTypes.protobuf];
  }

  /** Throws 406. */
  choose(accept: string | undefined, content: Content = 'item'): Format {
    if (accept === undefined || accept === 'application/json' || accept === '*/*' || accept === '') return JSON_FORMAT;
    const key = `${content} ${accept}`;
    if (!this.known.has(key)) {
      if (this.known.size >= 500) this.known.clear();
      this.known.set(key, this.firstServable(accept, content));
    }
    const format = this.known.get(key);
    if (!format) throw notAcceptable(this.offered);
    return format;
  }

  private firstServable(accept: string, content: Content): Format | undefined {
    for (const clause of clausesOf(accept)) {
      const format = formatOf(clause, this.metaGroup, content);
      if (format) return format;
    }
    return undefined;
  }
}
