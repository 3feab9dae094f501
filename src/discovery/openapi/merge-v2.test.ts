import { describe, expect, it } from 'vitest';
import { mergeV2 } from './merge-v2.ts';
import type { RemoteV2 } from './remote-schemas.ts';
import type { V2Document } from './v2-document.ts';
import { encodeV2 } from './v2-protobuf.ts';

const rest = () => undefined;

const OWN: V2Document = {
  swagger: '2.0',
  info: { title: 'own', version: '1' },
  paths: { '/own/': { get: { description: 'own', responses: {} } } },
  definitions: { Meta: { type: 'object', description: 'meta' }, Other: { type: 'string' } },
  parameters: { pretty: { name: 'pretty', in: 'query', type: 'string' } },
  security: [],
  securityDefinitions: {},
};

const answering = (ref: string) => ({ responses: { 200: { description: 'OK', schema: { $ref: ref } } } });

const theirs = (document: unknown): RemoteV2 => ({
  source: 'theirs',
  bytes: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
  prefixes: ['/apis/a.example.com/v1/'],
});

async function merge(...documents: unknown[]) {
  const problems: string[] = [];
  const merged = await mergeV2(OWN, documents.map(theirs), rest, (_source, error) => void problems.push(String(error)));
  await encodeV2(merged, rest);
  return { merged, problems };
}

describe('documents of other servers', () => {
  it('add paths of their versions, and what these refer to', async () => {
    const { merged, problems } = await merge({
      paths: {
        '/apis/a.example.com/v1/things': {
          get: answering('#/definitions/Thing'),
          parameters: [{ $ref: '#/parameters/limit' }],
        },
        '/apis/apps/v1/deployments': { get: answering('#/definitions/Evil') },
      },
      definitions: {
        Thing: { type: 'object', properties: { meta: { $ref: '#/definitions/Meta' } }, 'x-kind': ['a'] },
        Meta: { description: 'meta', type: 'object' },
        Evil: { type: 'object' },
      },
      parameters: { limit: { name: 'limit', in: 'query', type: 'integer', uniqueItems: true } },
    });
    expect(problems).toEqual([]);
    expect(Object.keys(merged.paths)).toEqual(['/apis/a.example.com/v1/things', '/own/']);
    expect(Object.keys(merged.definitions)).toEqual(['Meta', 'Other', 'Thing']);
    expect(merged.parameters.limit).toEqual({ name: 'limit', in: 'query', type: 'integer' });
  });

  it('are called otherwise where something else has the name', async () => {
    const { merged } = await merge({
      paths: { '/apis/a.example.com/v1/things': { get: answering('#/definitions/Thing') } },
      definitions: {
        Thing: { allOf: [{ $ref: '#/definitions/Meta' }] },
        Meta: { type: 'object', description: 'another' },
      },
    });
    expect(merged.definitions).toMatchObject({
      Meta: { description: 'meta' },
      Meta_v2: { description: 'another' },
      Thing: { allOf: [{ $ref: '#/definitions/Meta_v2' }] },
    });
  });

  it.each([
    ['no JSON', 'hello'],
    ['half of one', '{"paths":{"/apis/a.example.com/v1/x":{"get":'],
    [
      'one that nests without end',
      `{"paths":{"/apis/a.example.com/v1/x":{"get":{"x-a":${'['.repeat(9000)}${']'.repeat(9000)}}}}}`,
    ],
    [
      'one with a part that is too long',
      { paths: { '/apis/a.example.com/v1/x': { get: { description: 'x'.repeat(600_000) } } } },
    ],
  ])('are left out when they are %s', async (_what, document) => {
    const { merged, problems } = await merge(document);
    expect(problems).toHaveLength(1);
    expect(merged).toEqual(OWN);
  });

  it('are reduced to what a document can hold', async () => {
    const { merged, problems } = await merge({
      paths: {
        '/apis/a.example.com/v1/x': {
          get: { description: 7, tags: ['t', 7], deprecated: true, parameters: [{ in: 'header' }, 'x'], responses: [] },
          trace: {},
        },
      },
    });
    expect(problems).toEqual([]);
    expect(merged.paths['/apis/a.example.com/v1/x']).toEqual({ get: { tags: ['t'], parameters: [] } });
  });
});
