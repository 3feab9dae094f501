import { describe, expect, it } from 'vitest';
import { batchesOf } from './each-written.ts';
import type { SelectedObject } from './selection.ts';
import type { ServedResource } from './served-resources.ts';

const resources = new Map<string, ServedResource>();

function object(kind: string, name: string): SelectedObject {
  const resource = resources.get(kind) ?? ({ group: '', plural: kind, kind } as unknown as ServedResource);
  resources.set(kind, resource);
  return { resource, namespace: 'n', name };
}

const batched = (...names: (readonly [kind: string, name: string])[]): string[][] =>
  batchesOf(names.map(([kind, name]) => object(kind, name))).map((batch) => batch.map(({ name }) => name));

describe('objects that are written side by side', () => {
  it('are those of kinds that nothing is checked against', () => {
    expect(batched(['ConfigMap', 'a'], ['Secret', 'b'], ['Deployment', 'c'])).toEqual([['a', 'b', 'c']]);
  });

  it('are those of one kind', () => {
    expect(batched(['Thing', 'a'], ['Thing', 'b'])).toEqual([['a', 'b']]);
  });

  it('are not a namespace or an account and what needs it', () => {
    expect(batched(['Namespace', 'a'], ['ConfigMap', 'b'], ['ServiceAccount', 'c'], ['Pod', 'd'])).toEqual([
      ['a'],
      ['b'],
      ['c'],
      ['d'],
    ]);
  });

  it('are not two versions of one object', () => {
    expect(batched(['ConfigMap', 'a'], ['ConfigMap', 'b'], ['ConfigMap', 'a'])).toEqual([['a', 'b'], ['a']]);
  });
});
