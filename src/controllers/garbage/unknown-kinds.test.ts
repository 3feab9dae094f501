import { expect, it } from 'vitest';
import { UnknownKinds } from './unknown-kinds.ts';

const owner = (kind: string) => ({ apiVersion: 'example.com/v1', kind, name: 'n', uid: 'u' });

function world() {
  const served = new Set<string>();
  const added: string[] = [];
  let asked = 0;
  let onChange = (): void => {};
  const named = (_: string, kind: string) => {
    asked++;
    return served.has(kind) ? { group: '', plural: '', version: '', kind, namespaced: true, verbs: [] } : undefined;
  };
  const follow = (callback: () => void) => {
    onChange = callback;
    return { close() {} };
  };
  const kinds = { all: () => [], find: () => undefined, named, follow };
  const unknown = new UnknownKinds(kinds, { add: (key) => void added.push(key), addAfter() {} });
  const serve = (kind: string): void => {
    served.add(kind);
    onChange();
  };
  return { unknown, added, serve, asked: () => asked };
}

it('dependents are looked at when the kind of an owner comes', () => {
  const { unknown, added, serve } = world();
  unknown.await(owner('A'), 'one');
  unknown.await(owner('B'), 'one');
  unknown.await(owner('B'), 'two');
  serve('A');
  expect(added).toEqual(['one']);
  serve('B');
  expect(added).toEqual(['one', 'two']);
  unknown.await(owner('B'), 'three');
  expect(added).toEqual(['one', 'two', 'three']);
  expect(unknown.size).toBe(0);
});

it('nothing is kept of dependents that are gone, and each costs one look, however many kinds are made up', () => {
  const { unknown, asked } = world();
  for (let one = 0; one < 2_000; one++) unknown.await(owner(`K${one}`), `key-${one % 100}`);
  expect(unknown.size).toBe(2_000);
  expect(asked()).toBe(2_000);
  for (let key = 0; key < 100; key++) unknown.forget(`key-${key}`);
  expect(unknown.size).toBe(0);
});
