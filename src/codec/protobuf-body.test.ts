import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { int32, string } from '../schema/scalars.ts';
import { f, jsonOnly, kind } from '../schema/schema.ts';
import { encodeProtobuf, envelop } from './protobuf.ts';
import { parseProtobuf } from './protobuf-body.ts';

const Thing = kind('test.Thing', { name: f(1, string()), size: f(2, int32().optional()) });
const TextOnly = kind('test.TextOnly', { name: jsonOnly(string()) });
const MEDIA_TYPE = 'application/vnd.test.protobuf';

const parse = (body: Buffer): unknown => parseProtobuf(body, MEDIA_TYPE, () => ({ kind: 'Thing', schema: Thing }));

function refusal(body: Buffer): ApiError {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const withEncoding = (field: number, text: string): Buffer =>
  Buffer.concat([
    envelop('v1', 'Thing', Buffer.alloc(0)),
    Buffer.from([(field << 3) | 2, text.length]),
    Buffer.from(text),
  ]);

it('a body is what JSON would say, its kind and version included', () => {
  const body = encodeProtobuf(Thing, 'v1', 'Thing', { name: 'x', size: 0 });
  expect(parse(body)).toEqual({ kind: 'Thing', apiVersion: 'v1', name: 'x', size: 0 });
});

it('a body need not say what it is', () => {
  expect(parse(encodeProtobuf(Thing, '', '', { name: 'x' }))).toEqual({ kind: '', apiVersion: '', name: 'x' });
});

it('what is expected may depend on what the body says it is', () => {
  const body = encodeProtobuf(Thing, 'v2', 'Thing', { name: 'x' });
  parseProtobuf(body, MEDIA_TYPE, ({ apiVersion, kind }) => {
    expect({ apiVersion, kind }).toEqual({ apiVersion: 'v2', kind: 'Thing' });
    return { kind: 'Thing', schema: Thing };
  });
});

it('a body of another kind is not looked into', () => {
  expect(parse(envelop('v1', 'Other', Buffer.from([0xff])))).toEqual({ kind: 'Other', apiVersion: 'v1' });
});

describe('a body is refused', () => {
  it.each<[string, Buffer, RegExp]>([
    ['that is JSON', Buffer.from('{"kind":"Thing"}'), /four bytes/],
    ['that is cut off', encodeProtobuf(Thing, 'v1', 'Thing', { name: 'name' }).subarray(0, 20), /malformed/],
    ['whose message is not one', envelop('v1', 'Thing', Buffer.from([0x0a, 0x7f])), /valid Thing in protobuf/],
    ['whose fields are of other types', envelop('v1', 'Thing', Buffer.from([0x08, 0x01])), /field 1/],
    ['that is compressed inside', withEncoding(3, 'gzip'), /another encoding \(gzip\)/],
    ['that holds JSON', withEncoding(4, 'application/json'), /another encoding/],
  ])('%s', (_, body, message) => {
    const error = refusal(body);
    expect(error.code).toBe(400);
    expect(error.message).toMatch(message);
  });

  it('where binary is not known', () => {
    const body = envelop('v1', 'TextOnly', Buffer.alloc(0));
    const textOnly = () => ({ kind: 'TextOnly', schema: TextOnly });
    expect(() => parseProtobuf(body, MEDIA_TYPE, textOnly)).toThrow('unknown format');
  });
});

it('a body may name the usual encoding', () => {
  expect(parse(withEncoding(4, MEDIA_TYPE))).toEqual({ kind: 'Thing', apiVersion: 'v1' });
});
