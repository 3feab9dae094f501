import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Negotiator } from '../src/codec/negotiation.ts';
import { discoveryHandler } from '../src/discovery/discovery.ts';
import { contextFor } from '../src/handlers/test-context.ts';
import { isStream } from '../src/http/message.ts';
import { readWhole, sourceOf } from '../src/http/whole-body.ts';
import { builtInCatalogue } from '../src/kinds/built-in.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

/** Holds the discovery documents of the built-in types against recordings of the reference. */

const RECORDING = join(import.meta.dirname, '../../shared/conformance/scenarios/expected/discovery.json');
const isThere = existsSync(RECORDING);

interface Described {
  readonly name: string;
  readonly storageVersionHash?: string;
}

interface ResourceList {
  readonly kind: string;
  readonly groupVersion: string;
  readonly resources: readonly Described[];
}

const steps: readonly { readonly reply: { readonly body: ResourceList } }[] = isThere
  ? JSON.parse(readFileSync(RECORDING, 'utf8')).steps
  : [];

const recorded = new Map(
  steps
    .map(({ reply: { body } }) => body)
    .filter(({ kind }) => kind === 'APIResourceList')
    .map((list) => [list.groupVersion, list]),
);

const v = vocabularies.platform;
const catalogue = builtInCatalogue(v);
const handler = discoveryHandler({
  catalogue,
  negotiator: new Negotiator(v),
  vocabulary: v,
  serverAddress: 'localhost:1',
});

async function documentAt(path: string) {
  const reply = await handler(contextFor('GET', path));
  if (!reply || isStream(reply.body)) throw new Error(`${path} has no document`);
  return JSON.parse(readWhole(sourceOf(reply.body)).toString());
}

const served = catalogue
  .groups()
  .flatMap(({ name, versions }) => versions.map((version) => (name === '' ? version : `${name}/${version}`)))
  .filter((groupVersion) => recorded.has(groupVersion));

const masked = (described: Described): Described =>
  described.storageVersionHash === undefined ? described : { ...described, storageVersionHash: '<hash>' };

describe.skipIf(!isThere)('discovery, against the reference (skipped where there is none)', () => {
  it.each(served)('describes what is served of %s as recorded, in the same order', async (groupVersion) => {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    const { resources }: ResourceList = await documentAt(path);
    const names = new Set(resources.map(({ name }) => name));
    expect(resources.length).toBeGreaterThan(0);
    const expected = recorded.get(groupVersion)?.resources.filter(({ name }) => names.has(name)) ?? [];
    expect(resources.map(masked)).toEqual(expected);
  });

  it('compares more than a few documents', () => {
    expect(served.length).toBeGreaterThan(5);
  });
});
