import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { string } from '../schema/scalars.ts';
import { f, jsonOnly, kind } from '../schema/schema.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { type Content, Negotiator } from './negotiation.ts';

const { platform } = vocabularies;
const negotiator = new Negotiator(platform);
const WithBinary = kind('test.WithBinary', { name: f(1, string()) });
const WithoutBinary = kind('test.WithoutBinary', { name: jsonOnly(string()) });

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const PB = platform.mediaTypes.protobuf;
const as = (rendering: string, version = 'v1'): string => `as=${rendering};g=${platform.groups.meta};v=${version}`;

/** What comes of an Accept header, in a few words. */
function outcome(accept: string | undefined, content: Content, schema = WithBinary): string {
  try {
    const { media, rendering, metaVersion } = negotiator.choose(accept, content, schema);
    return rendering === 'object' ? media : `${media} ${rendering} ${metaVersion}`;
  } catch (error) {
    if (error instanceof ApiError) return String(error.code);
    throw error;
  }
}

describe('an object', () => {
  it.each<[accept: string | undefined, expected: string]>([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    [JSON_TYPE, 'json'],
    [YAML, 'yaml'],
    [PB, 'protobuf'],
    [PB.toUpperCase(), 'protobuf'],
    [`${PB},${JSON_TYPE}`, 'protobuf'],
    [`${PB}, */*`, 'protobuf'],
    [`*/*, ${PB}`, 'protobuf'],
    [`${JSON_TYPE},${PB}`, 'json'],
    [`${JSON_TYPE};q=0.2, ${YAML};q=0.9`, 'yaml'],
    [`${PB};q=0.5,${YAML};q=0.5,${JSON_TYPE};q=0.4`, 'protobuf'],
    [`${PB};q=0,${JSON_TYPE}`, 'json'],
    [`${PB};q=0`, '406'],
    ['text/html', '406'],
    [`text/html,${PB}`, 'protobuf'],
    ['application/vnd.other.protobuf', '406'],
    [`${PB};stream=watch`, 'protobuf'],
    [`${PB};stream=else,${JSON_TYPE}`, 'json'],
    [`${JSON_TYPE};${as('Table')}`, 'json table v1'],
    [`${JSON_TYPE};${as('Table', 'v1beta1')}`, 'json table v1beta1'],
    [`${JSON_TYPE};${as('Table', 'v2')}`, '406'],
    [`${YAML};${as('Table')}`, 'yaml table v1'],
    [`${PB};${as('Table')}`, '406'],
    [`${PB};${as('Table')},${JSON_TYPE};${as('Table')},${JSON_TYPE}`, 'json table v1'],
    [`${PB};${as('PartialObjectMetadata')}`, 'protobuf metadata v1'],
    [`${PB};${as('PartialObjectMetadataList')},${JSON_TYPE}`, 'json'],
    [`${PB};as=PartialObjectMetadata;g=elsewhere;v=v1`, '406'],
  ])('for "%s" it is %s', (accept, expected) => {
    expect(outcome(accept, 'item')).toBe(expected);
    // A second time, from memory.
    expect(outcome(accept, 'item')).toBe(expected);
  });
});

describe('what has no binary form', () => {
  it.each([
    [`${PB},${JSON_TYPE}`, 'json'],
    [`${PB},*/*`, 'json'],
    [`${PB},${YAML};q=0.9,${JSON_TYPE};q=0.8`, 'yaml'],
    [PB, '406'],
    [`${PB};${as('PartialObjectMetadata')}`, 'protobuf metadata v1'],
    [`${PB},${PB};${as('PartialObjectMetadata')}`, 'protobuf metadata v1'],
  ])('for "%s" it is %s', (accept, expected) => {
    expect(outcome(accept, 'item', WithoutBinary)).toBe(expected);
  });
});

describe('other content', () => {
  it.each<[content: Content, accept: string, expected: string]>([
    ['list', `${PB};${as('PartialObjectMetadataList')}`, 'protobuf metadata v1'],
    ['list', `${PB};${as('PartialObjectMetadata')}`, '406'],
    ['watch', `${PB};stream=watch`, 'protobuf'],
    ['watch', `${PB},${JSON_TYPE}`, 'protobuf'],
    ['watch', `${JSON_TYPE};stream=watch`, 'json'],
    ['watch', `${PB};stream=watch;${as('PartialObjectMetadata')}`, 'protobuf metadata v1'],
    ['watch', `${YAML},${JSON_TYPE}`, 'json'],
    ['watch', YAML, '406'],
    ['plain', PB, 'protobuf'],
    ['plain', `${PB};stream=watch`, '406'],
    ['plain', `${JSON_TYPE};${as('Table')}`, '406'],
  ])('a %s for "%s" is %s', (content, accept, expected) => {
    expect(outcome(accept, content)).toBe(expected);
  });
});

it('a stream of binary events has a type of its own', () => {
  expect(negotiator.choose(PB, 'watch', WithBinary).contentType).toBe(platform.mediaTypes.protobufWatch);
  expect(negotiator.choose(PB, 'item', WithBinary).contentType).toBe(PB);
});

it('what must be told is told in JSON to whoever takes nothing else', () => {
  expect(negotiator.chooseAnyway('text/html', 'plain', WithBinary).media).toBe('json');
  expect(negotiator.chooseAnyway(PB, 'plain', WithBinary).media).toBe('protobuf');
});

it('a refusal says what there is', () => {
  expect(() => negotiator.choose('text/html', 'item', WithBinary)).toThrow(`${JSON_TYPE}, ${YAML}, ${PB}`);
  expect(() => negotiator.choose('text/html', 'watch', WithBinary)).toThrow(`${JSON_TYPE}, ${PB}`);
});
