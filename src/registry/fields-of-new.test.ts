import { expect, it } from 'vitest';
import { cacheGrowth } from '../../test/support/cache-growth.ts';
import { builtInTypes } from '../kinds/built-in.ts';
import { hasText } from '../objects/text.ts';
import { atOnce } from '../runtime/pacing.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { FieldsOfNew } from './fields-of-new.ts';
import { readObject } from './incoming.ts';
import type { ResourceType } from './resource-type.ts';

const types = builtInTypes(vocabularies.platform);
const typeOf = (kind: string): ResourceType => {
  const found = types.find((type) => type.kind === kind && type.group === '');
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
};

const pods = typeOf('Pod');
const pod = (container: string, image: string, labels: object = {}) => ({
  metadata: { name: image, labels },
  spec: { containers: [{ name: container, image, ports: [{ containerPort: 80 }] }] },
});

const found = (fields: FieldsOfNew, type: ResourceType, document: object, isLarge = false) =>
  atOnce(fields.of(type, readObject(type, document), isLarge));

it('are one value for objects that are alike, and its text is kept once there was a second', () => {
  const fields = new FieldsOfNew();
  const first = found(fields, pods, pod('web', 'one'));
  expect(hasText(first)).toBe(false);
  expect(found(fields, pods, pod('web', 'two'))).toBe(first);
  expect(hasText(first)).toBe(true);
  expect(found(new FieldsOfNew(), pods, pod('web', 'two'))).toEqual(first);
});

it('are of each object its own where it is another', () => {
  const fields = new FieldsOfNew();
  const documents = [pod('web', 'one'), pod('side', 'one'), pod('web', 'one', { app: 'x' }), pod('web', 'one')];
  for (const document of documents) {
    expect(found(fields, pods, document)).toEqual(found(new FieldsOfNew(), pods, document));
  }
});

it('cannot be changed for all by whoever has them for one', () => {
  const fields = new FieldsOfNew();
  const known = found(fields, pods, pod('web', 'one'));
  expect(() => Object.assign(known, { 'f:data': {} })).toThrow(TypeError);
  expect(() => Object.assign(known['f:spec'] as object, { 'f:data': {} })).toThrow(TypeError);
});

it('of several sorts of objects in turn are all known in the end', () => {
  const fields = new FieldsOfNew();
  const sorts = [pod('a', 'one'), pod('b', 'one'), pod('c', 'one'), pod('d', 'one')];
  for (let round = 0; round < 20; round++) for (const sort of sorts) found(fields, pods, sort);
  for (const sort of sorts) expect(found(fields, pods, sort)).toBe(found(fields, pods, sort));
});

it('are not held against large objects', () => {
  const fields = new FieldsOfNew();
  const first = found(fields, pods, pod('web', 'one'), true);
  expect(found(fields, pods, pod('web', 'one'), true)).not.toBe(first);
});

it('take no more memory than they may', () => {
  const growth = cacheGrowth('fields-of-new-objects');
  const fields = new FieldsOfNew();
  const labels = (at: number) => Object.fromEntries(Array.from({ length: 200 }, (_, next) => [`l-${at}-${next}`, '']));
  for (const type of types) {
    for (let at = 0; at < 40; at++) {
      const document = { metadata: { name: 'x', labels: labels(at) } };
      atOnce(fields.of(type, { ...document, kind: type.kind } as never, false));
    }
  }
  const held = growth();
  expect(held.bytes).toBeLessThanOrEqual(FieldsOfNew.CAPACITY);
  expect(held.bytes).toBeGreaterThan(1 << 20);
});
