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
  let rests = 0;
  let resting: Promise<void> | undefined;
  const rest = () => {
    rests++;
    return resting;
  };
  const unknown = new UnknownKinds(kinds, { add: (key) => void added.push(key), addAfter() {} }, rest);
  const pause = (until: Promise<void> | undefined): void => {
    resting = until;
  };
  const serve = (kind: string): void => {
    served.add(kind);
    onChange();
  };
  return { unknown, added, serve, pause, asked: () => asked, rests: () => rests };
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

it('very many kinds are looked at with rests, and again when another one came meanwhile', async () => {
  const { unknown, added, serve, pause, rests } = world();
  for (let one = 0; one < 5_000; one++) unknown.await(owner(`K${one}`), `key-${one}`);
  let goOn = (): void => {};
  pause(
    new Promise((resolve) => {
      goOn = resolve;
    }),
  );
  serve('K4999');
  expect([added, rests()]).toEqual([[], 1]);
  serve('K0');
  pause(undefined);
  goOn();
  await expect.poll(() => added).toEqual(['key-4999', 'key-0']);
  expect(rests()).toBeGreaterThan(10);
  expect(unknown.size).toBe(4_998);
});
