import { describe, expect, it } from 'vitest';
import { cacheSizes } from '../src/bounds/caches.ts';
import { Negotiator } from '../src/codec/negotiation.ts';
import { defaultPullPolicy } from '../src/kinds/core/pod/image-name.ts';
import { canonicalQuantity } from '../src/schema/quantity.ts';
import { vocabularyNamed } from '../src/vocabulary/vocabulary.ts';

const sizeOf = (name: string): number => cacheSizes().find((cache) => cache.name === name)?.bytes ?? Number.NaN;

const MEGABYTE = 1 << 20;

describe('texts that clients choose leave little behind', () => {
  const negotiator = new Negotiator(vocabularyNamed('platform'));
  const rows: readonly (readonly [string, (text: string) => unknown])[] = [
    ['quantities', (text) => canonicalQuantity(`${text}1k`)],
    ['image-names', (text) => defaultPullPolicy(`example/${text}`)],
    ['accept-headers', (text) => negotiator.chooseAnyway(`application/json;x=${text}`, 'item')],
  ];
  it.each(rows)('in the cache of %s, one long or many short', (name, use) => {
    for (let at = 0; at < 20; at++) use('0'.repeat(100_000 + at));
    expect(sizeOf(name)).toBeLessThan(MEGABYTE);
    for (let at = 0; at < 5_000; at++) use(`0${'1'.repeat(50)}${at}`);
    expect(sizeOf(name)).toBeGreaterThan(0);
    expect(sizeOf(name)).toBeLessThan(MEGABYTE);
  });
});
