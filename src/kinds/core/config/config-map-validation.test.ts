import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { ConfigMap } from './config-map.ts';
import { decodedLength, validateConfigMap, validateConfigMapUpdate } from './config-map-validation.ts';

const rules = { validate: validateConfigMap };
const half = 'a'.repeat(512 * 1024);

describe('a config map', () => {
  it('may hold a mebibyte of text and bytes', () => {
    const binaryData = { 'b.bin': Buffer.from(half).toString('base64') };
    expect(problemsOf(ConfigMap, rules, { data: { 'a-b_c.D': half }, binaryData })).toEqual([]);
  });

  it.each([
    [{ data: { 'a b': 'c' } }, 'Invalid data[a b]'],
    [{ binaryData: { '..': '' } }, 'Invalid binaryData[..]'],
    [{ data: { a: 'b' }, binaryData: { a: 'Yg==' } }, 'Invalid data[a]'],
    [{ data: { a: half, b: `${half}x` } }, 'TooLong []'],
  ])('is refused %#', (document, cause) => {
    expect(problemsOf(ConfigMap, rules, document)).toEqual([cause]);
  });

  it('that is immutable stays as it is', () => {
    const old = { immutable: true, data: { a: 'b' }, binaryData: { c: 'Yg==' } };
    const change = (to: unknown) => problemsOfChange(ConfigMap, validateConfigMapUpdate, old, changed(old, to));
    expect(change({ metadata: { labels: { a: 'b' } } })).toEqual([]);
    expect(change({ data: { a: 'c' } })).toEqual(['Forbidden data']);
    expect(change({ binaryData: null })).toEqual(['Forbidden binaryData']);
    expect(change({ immutable: false })).toEqual(['Forbidden immutable']);
  });

  it('that is not immutable may change', () => {
    expect(problemsOfChange(ConfigMap, validateConfigMapUpdate, { data: { a: 'b' } }, { immutable: true })).toEqual([]);
  });
});

it.each(['', 'a', 'ab', 'abc', 'abcd'])('knows how many bytes the base64 of %j stands for', (text) => {
  expect(decodedLength(Buffer.from(text).toString('base64'))).toBe(text.length);
});
