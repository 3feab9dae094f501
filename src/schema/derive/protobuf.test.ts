import { describe, expect, it } from 'vitest';
import type { Node } from '../node.ts';
import {
  anything,
  bool,
  bytes,
  double,
  fieldsV1,
  int32,
  int64,
  intOrString,
  json,
  microTime,
  quantity,
  rawExtension,
  string,
  stringItems,
  time,
} from '../scalars.ts';
import { f, inline, jsonOnly, kind, list, map, type Struct, struct, union } from '../schema.ts';
import { DELIMITED, tagOf, WireError } from '../wire.ts';
import { writtenBy } from '../wire-writer.ts';
import { canonicalise } from './canonical.ts';
import { decodeMessage, encodeMessage, hasBinaryForm } from './protobuf.ts';

const hexOf = (node: Node, value: unknown): string =>
  encodeMessage(node, canonicalise(node, value).value).toString('hex');
const decode = (node: Node, hex: string): unknown =>
  canonicalise(node, decodeMessage(node, Buffer.from(hex.replaceAll(' ', ''), 'hex'))).value;

/** A message whose only field, number 1, is of this type. */
const holding = (node: Node): Node => struct('test.Holder', { it: f(1, node) });

describe('a field by value', () => {
  it.each<[string, Node, string]>([
    ['string', string(), '0a00'],
    ['bool', bool(), '0800'],
    ['int32', int32(), '0800'],
    ['double', double(), '090000000000000000'],
    ['time', time(), '0a00'],
    ['micro time', microTime(), '0a00'],
    ['quantity', quantity(), '0a030a0130'],
    ['int or string', intOrString(), '0a06080010001a00'],
    ['raw extension', rawExtension(), '0a00'],
    ['struct', struct('test.Inner', { name: f(1, string()) }), '0a020a00'],
  ])('is written also when unset: %s', (_, node, bytes) => {
    expect(hexOf(holding(node), {})).toBe(bytes);
    expect(JSON.stringify(decode(holding(node), bytes))).toBe(JSON.stringify(decode(holding(node), '')));
  });

  it.each<[string, Node]>([
    ['bytes', bytes()],
    ['list', list(string())],
    ['map', map(string())],
    ['wrapped list', stringItems()],
    ['optional string', string().optional()],
    ['optional struct', struct('test.Inner', {}).optional()],
    ['nullable time', time().optional().always()],
  ])('is not, of a type that can be missing: %s', (_, node) => {
    expect(hexOf(holding(node), {})).toBe('');
  });
});

describe('a value', () => {
  it.each<[Node, unknown, string]>([
    [string(), 'hé', '0a0368c3a9'],
    [string().optional(), '', '0a00'],
    [int32(), -1, '08ffffffffffffffffff01'],
    [int64(), 2 ** 40, '08808080808020'],
    [double(), 1.5, '09000000000000f83f'],
    [bytes(), 'AQID', '0a03010203'],
    [time(), '1970-01-01T00:00:05Z', '0a0408051000'],
    [microTime(), '1970-01-01T00:00:05.000002Z', '0a05080510d00f'],
    [quantity(), '500m', '0a060a043530306d'],
    [intOrString(), 8, '0a06080010081a00'],
    [intOrString(), 'x', '0a07080110001a0178'],
    [rawExtension(), { a: [1] }, '0a0b0a097b2261223a5b315d7d'],
    [fieldsV1().optional(), {}, '0a040a027b7d'],
    [json().optional(), 'x', '0a050a03227822'],
    [list(json()), [null, 0], '0a000a030a0130'],
    [stringItems(), ['a', 'b'], '0a060a01610a0162'],
    [list(int32()), [1, 0], '08010800'],
    [list(string()), ['a', ''], '0a01610a00'],
    [map(string()), { b: '', a: 'x' }, '0a060a01611201780a050a01621200'],
    // Objects keep keys that look like numbers in front and in their own order; messages do not.
    [map(int32()), { '10': 1, '9': 2 }, '0a060a02313010010a050a01391002'],
    [map(stringItems()), { a: [] }, '0a050a01611200'],
  ])('of %# is %j on both sides', (node, value, hex) => {
    const { value: canonical } = canonicalise(holding(node), { it: value });
    expect(hexOf(holding(node), canonical)).toBe(hex);
    expect(JSON.stringify(decode(holding(node), hex))).toBe(JSON.stringify(canonical));
  });
});

const Rule: Struct<Rule> = struct('test.Rule', () => ({
  level: f(1, int32()),
  extra: f(2, RuleOrBool.optional()),
  more: f(3, RuleOrRules.optional()),
}));
interface Rule {
  level?: number;
  extra?: Rule | boolean;
  more?: Rule | Rule[];
}
const RuleOrBool = union<Rule | boolean>('test.RuleOrBool', {
  allows: { takes: 'boolean', number: 1, node: () => bool().always() },
  rule: { takes: 'object', number: 2, node: () => Rule.optional(), implies: { allows: true } },
});
const RuleOrRules = union<Rule | Rule[]>('test.RuleOrRules', {
  rule: { takes: 'object', number: 1, node: () => Rule.optional() },
  rules: { takes: 'array', number: 2, node: () => list(Rule) },
});

describe('a union', () => {
  it.each([
    [{ extra: true }, '080012020801'],
    [{ extra: false }, '080012020800'],
    [{ extra: { level: 1 } }, '0800 1206 0801 1202 0801'],
    [{ more: { level: 1 } }, '0800 1a04 0a02 0801'],
    [{ more: [{}, { level: 1 }] }, '0800 1a08 1202 0800 1202 0801'],
  ])('is the message of its form: %j', (value, hex) => {
    expect(hexOf(Rule, value)).toBe(hex.replaceAll(' ', ''));
    expect(decode(Rule, hex)).toEqual(value);
  });

  it('without any form says what its fields by value say', () => {
    expect(decode(Rule, '1200')).toEqual({ extra: false });
    expect(decode(Rule, '1a00')).toEqual({});
  });
});

const Source = struct('test.Source', { path: f(1, string().always()), limit: f(2, int32().optional()) });
const Thing = kind('test.Thing', {
  last: f(20, string().optional()),
  first: f(1, string().optional()),
  source: inline(2, Source),
  inner: f(3, Source.optional()),
  sizes: f(4, list(int64())),
  labels: f(5, map(Source)),
});

describe('a message', () => {
  it('has its fields in the order of their numbers, and no kind', () => {
    const value = { kind: 'Thing', apiVersion: 'v1', last: 'z', first: 'a' };
    expect(hexOf(Thing, value)).toBe('0a016112020a00a201017a');
  });

  it('nests what JSON has inline', () => {
    expect(hexOf(Thing, { path: 'p', limit: 0 })).toBe('12050a01701000');
    expect(decode(Thing, '12050a01701000')).toEqual({ path: 'p', limit: 0 });
  });

  it('may come in any order, with fields that nobody knows', () => {
    expect(decode(Thing, 'a201017a 32 01 00 b80701 0a0161')).toEqual({ first: 'a', path: '', last: 'z' });
  });

  it('merges what comes twice, as protobuf wants it', () => {
    const twice = '0a0161 0a0162 1a030a0178 1a021005 2001 2002 2a070a016b12020a00 2a080a016b12030a0179';
    expect(decode(Thing, twice)).toEqual({
      first: 'b',
      path: '',
      inner: { path: 'x', limit: 5 },
      sizes: [1, 2],
      labels: { k: { path: 'y' } },
    });
  });

  it('lets a later zero replace an earlier value', () => {
    expect(decode(Source, '0a0161 0a00')).toEqual({ path: '' });
  });

  it('may have numbers packed together', () => {
    expect(decode(Thing, '2203 018001 2002')).toEqual({ path: '', sizes: [1, 128, 2] });
  });

  it('may leave out key and value of a map entry', () => {
    expect(decode(Thing, '2a00')).toEqual({ path: '', labels: { '': { path: '' } } });
  });

  it('keeps hostile keys as keys', () => {
    const value = JSON.parse('{"path":"","labels":{"__proto__":{"path":"x"},"constructor":{"path":"y"}}}');
    expect(JSON.stringify(decode(Thing, hexOf(Thing, value)))).toBe(JSON.stringify(value));
  });
});

describe('malformed bytes', () => {
  it.each<[string, Node, string]>([
    ['a string as a number', Thing, '0801'],
    ['a message as a number', Thing, '1801'],
    ['a number as fixed bits', Thing, '2100000000'],
    ['a map as a number', Thing, '2801'],
    ['the value of an entry as a number', Thing, '2a021001'],
    ['an inline message as a number', Thing, '1001'],
    ['the seconds of a time as text', holding(time()), '0a020a00'],
    ['a time past the year 9999', holding(time()), '0a0708808ff3acd05d'],
    ['nanoseconds of more than a second', holding(microTime()), '0a0610808aaea304'],
    ['neither integer nor string', holding(intOrString()), '0a020802'],
    ['embedded text that is not JSON', holding(rawExtension()), '0a040a027b5d'],
    ['a message cut short', Thing, '0a05'],
    ['a number past 2^53', Thing, '20ffffffffffffff7f'],
  ])('%s', (_, node, hex) => {
    expect(() => decode(node, hex)).toThrow(WireError);
  });

  it('that nest deeper than the stack should have to bear', () => {
    const Deep: Struct<unknown> = struct('test.Deep', () => ({ it: f(1, Deep.optional()) }));
    const bytes = writtenBy((writer) => {
      for (let depth = 0; depth < 5000; depth++) {
        writer.varint(writer.size);
        writer.varint(tagOf(1, DELIMITED));
      }
    });
    expect(() => decodeMessage(Deep, bytes)).toThrow('nest deeper');
  });

  it('that embed JSON which does', () => {
    const raw = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bytes = encodeMessage(holding(struct('test.Text', { raw: f(1, string()) })), { it: { raw } });
    expect(() => decodeMessage(holding(rawExtension()), bytes)).toThrow('nests deeper');
  });
});

describe('a type without a binary form', () => {
  const Row = struct('test.Row', { cells: jsonOnly(list(anything())) });

  it('is told apart', () => {
    expect(hasBinaryForm(Thing)).toBe(true);
    expect(hasBinaryForm(Row)).toBe(false);
  });

  it('is not written', () => {
    expect(() => encodeMessage(Row, { cells: [] })).toThrow('test.Row has no binary form');
  });
});
