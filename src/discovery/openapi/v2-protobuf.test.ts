import { describe, expect, it } from 'vitest';
import { WireReader } from '../../schema/wire-reader.ts';
import { WireWriter } from '../../schema/wire-writer.ts';
import { message, text } from './message.ts';
import type { V2Document } from './v2-document.ts';
import { encodeV2 } from './v2-protobuf.ts';

const rest = () => Promise.resolve();

const document: V2Document = {
  swagger: '2.0',
  info: { title: 'Zoo', version: 'v1' },
  paths: {
    '/lions': {
      get: {
        operationId: 'listLions',
        tags: ['zoo'],
        'x-action': 'list',
        parameters: [{ $ref: '#/parameters/limit' }, { name: 'dryRun', in: 'query', type: 'string' }],
        responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/Lion' } } },
      },
      post: { parameters: [{ name: 'body', in: 'body', required: true, schema: { type: 'object' } }] },
      parameters: [{ name: 'name', in: 'path', type: 'string', required: true }],
    },
  },
  definitions: {
    Lion: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', enum: ['leo', 'nala'] }, cubs: { type: 'array', items: {} } },
      'x-kinds': [{ kind: 'Lion' }],
    },
    Names: { type: 'object', additionalProperties: { type: 'string' } },
  },
  parameters: { limit: { name: 'limit', in: 'query', type: 'integer' } },
  security: [{ Token: [] }],
  securityDefinitions: { Token: { type: 'apiKey', name: 'authorization', in: 'header' } },
};

const encoded = encodeV2(document, rest);

/** The values of the fields at the end of a path of field numbers, in the order of the bytes. */
function fieldsAt(bytes: Buffer, [number, ...below]: readonly number[]): Buffer[] {
  const found: Buffer[] = [];
  const reader = new WireReader(bytes);
  while (reader.more) {
    const tag = reader.tag();
    if (tag >>> 3 === number && (tag & 7) === 2) found.push(reader.view());
    else reader.skip(tag);
  }
  return below.length === 0 ? found : found.flatMap((inner) => fieldsAt(inner, below));
}

const textsAt = async (...path: number[]): Promise<string[]> => fieldsAt(await encoded, path).map(String);

/** Numbers as the public definition of the message has them. */
const OPERATION_GET = [8, 2, 2, 2] as const;
const SCHEMA = [9, 1, 2] as const;

describe('the binary form of the document', () => {
  it('begins with its version and title', async () => {
    expect(await textsAt(1)).toEqual(['2.0']);
    expect(await textsAt(2, 1)).toEqual(['Zoo']);
    expect((await encoded)[0]).toBe((1 << 3) | 2);
  });

  it('holds operations under their paths', async () => {
    expect(await textsAt(8, 2, 1)).toEqual(['/lions']);
    expect(await textsAt(...OPERATION_GET, 5)).toEqual(['listLions']);
    expect(await textsAt(...OPERATION_GET, 9, 1, 1)).toEqual(['200']);
    expect(await textsAt(...OPERATION_GET, 9, 1, 2, 1, 2, 1, 1)).toEqual(['#/definitions/Lion']);
  });

  it('tells references, query, path and body parameters apart', async () => {
    expect(await textsAt(...OPERATION_GET, 8, 2, 1)).toEqual(['#/parameters/limit']);
    expect(await textsAt(...OPERATION_GET, 8, 1, 2, 3, 4)).toEqual(['dryRun']);
    expect(await textsAt(8, 2, 2, 9, 1, 2, 4, 4)).toEqual(['name']);
    expect(await textsAt(8, 2, 2, 4, 8, 1, 1, 2)).toEqual(['body']);
    expect(await textsAt(10, 1, 2, 2, 3, 4)).toEqual(['limit']);
  });

  it('holds definitions with their properties', async () => {
    expect(await textsAt(9, 1, 1)).toEqual(['Lion', 'Names']);
    expect(await textsAt(...SCHEMA, 22, 1)).toEqual(['object', 'object']);
    expect(await textsAt(...SCHEMA, 25, 1, 1)).toEqual(['name', 'cubs']);
    expect(await textsAt(...SCHEMA, 25, 1, 2, 20, 2)).toEqual(['"leo"', '"nala"']);
    expect(await textsAt(...SCHEMA, 25, 1, 2, 23, 1)).toEqual(['']);
    expect(await textsAt(...SCHEMA, 21, 1, 22, 1)).toEqual(['string']);
    expect(await textsAt(...SCHEMA, 19)).toEqual(['name']);
  });

  it('holds extensions as YAML', async () => {
    expect(await textsAt(...OPERATION_GET, 13, 1)).toEqual(['x-action']);
    expect(await textsAt(...OPERATION_GET, 13, 2, 2)).toEqual(['"list"']);
    expect(await textsAt(...SCHEMA, 31, 2, 2)).toEqual(['[{"kind":"Lion"}]']);
  });

  it('says how to authenticate', async () => {
    expect(await textsAt(12, 1, 1)).toEqual(['Token']);
    expect(await textsAt(13, 1, 2, 2, 1)).toEqual(['apiKey']);
  });
});

describe('a message', () => {
  const write = (value: object, extensions?: number) => () =>
    message({ name: [1, text] }, extensions)(new WireWriter(), { ...value });

  it('has no place for what its table does not name', () => {
    expect(write({ name: 'a' })).not.toThrow();
    expect(write({ nome: 'a' })).toThrow('"nome"');
    expect(write({ 'x-name': 'a' })).toThrow('"x-name"');
    expect(write({ 'x-name': 'a' }, 2)).not.toThrow();
    expect(write({ nome: 'a' }, 2)).toThrow('"nome"');
  });
});
