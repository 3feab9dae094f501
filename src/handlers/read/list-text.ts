import type { Format } from '../../codec/negotiation.ts';
import { yamlWriter } from '../../codec/yaml-writing.ts';

/** How the members of a long list are written one by one, between a beginning and an end. */
export interface ListText {
  readonly head: Buffer;
  /** Stands before every item but the first. */
  readonly between: Buffer;
  readonly tail: Buffer;
  item(value: object): Buffer;
}

const EMPTY = Buffer.alloc(0);

/** `envelope` is all that the list has besides the `field` of its items. */
export async function listText(format: Format, envelope: object, field: 'items' | 'rows'): Promise<ListText> {
  if (format.media === 'yaml') return yamlText(envelope, field, await yamlWriter());
  return format.indented ? prettyText(envelope, field) : jsonText(envelope, field);
}

function jsonText(envelope: object, field: string): ListText {
  return {
    head: Buffer.from(JSON.stringify({ ...envelope, [field]: [] }).slice(0, -']}'.length)),
    between: Buffer.from(','),
    tail: Buffer.from(']}\n'),
    item: (value) => Buffer.from(JSON.stringify(value)),
  };
}

const INDENT = '    ';

function prettyText(envelope: object, field: string): ListText {
  const head = JSON.stringify({ ...envelope, [field]: [] }, null, 2).slice(0, -']\n}'.length);
  return {
    head: Buffer.from(`${head}\n`),
    between: Buffer.from(',\n'),
    tail: Buffer.from('\n  ]\n}\n'),
    item: (value) => Buffer.from(INDENT + JSON.stringify(value, null, 2).replaceAll('\n', `\n${INDENT}`)),
  };
}

function yamlText(envelope: object, field: string, write: (value: unknown) => string): ListText {
  const text = (value: unknown): Buffer => Buffer.from(write(value));
  return {
    head: Buffer.concat([text(envelope), Buffer.from(`${field}:\n`)]),
    between: EMPTY,
    tail: EMPTY,
    item: (value) => text([value]),
  };
}
