import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from './client.ts';
import { PATIENCE_MS } from './patience.ts';

export const DEFINITIONS = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';

/** A version of a custom kind; its schema is `spec` with these properties, unless it is given. */
export const version = (name: string, properties: object = {}, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  ...more,
});

const kindOf = (plural: string): string => plural.charAt(0).toUpperCase() + plural.slice(1, -1);

/** A custom object for a path: the document with the kind and version of what is there. */
export function customObject(path: string, document: object): object {
  const [, , group = '', name = ''] = path.split('/');
  return { apiVersion: `${group}/${name}`, kind: kindOf(path.slice(path.lastIndexOf('/') + 1)), ...document };
}

/** The definition of `<plural>.<group>`. Of several versions the last one is stored, unless one says so itself. */
export function definition(plural: string, group: string, versions: readonly object[], more: object = {}): object {
  const kind = kindOf(plural);
  const hasStorage = versions.some((one) => 'storage' in one && one.storage === true);
  return {
    apiVersion: 'apiextensions.platform.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((one, at) => (hasStorage || at < versions.length - 1 ? one : { ...one, storage: true })),
      ...more,
    },
  };
}

/** Makes a definition, and waits until what it defines is served at a path. */
export async function define(admin: Client, document: object, path: string): Promise<void> {
  const made = await admin.request('POST', DEFINITIONS, document);
  expect(made.status, made.text).toBe(201);
  await untilServed(admin, path);
}

/** Asks again and again; also outside of tests. */
async function untilStatus(admin: Client, path: string, wanted: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, text } = await admin.request('GET', path);
    if (status === wanted) return;
    if (Date.now() > deadline) throw new Error(`${path} is still ${status}: ${text}`);
    await setTimeout(5);
  }
}

export const untilServed = (admin: Client, path: string): Promise<void> => untilStatus(admin, path, 200);

export const untilGone = (admin: Client, path: string): Promise<void> => untilStatus(admin, path, 404);
