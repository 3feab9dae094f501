import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userNamed } from '../src/api/user.ts';
import { DEFAULT_FEATURES } from '../src/features/features.ts';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { dropGatedFields } from '../src/registry/gated-fields.ts';
import { apiVersionOf, readObject } from '../src/registry/incoming.ts';
import { clearFields } from '../src/registry/resets.ts';
import { type HookContext, isStored, type ResourceType } from '../src/registry/resource-type.ts';
import { servedWith } from '../src/registry/runtime-config.ts';
import { fromHub, hubOf, toHub } from '../src/registry/versions.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

/**
 * Objects as they were sent, and as a server of this interface answered them. Defaults and preparation together must
 * explain every difference, in value and in order, except for what admission and allocation add, which is listed here.
 */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/defaults.json');

type JsonObject = { [key: string]: unknown };

interface Pair {
  readonly id: string;
  readonly post: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly result: JsonObject & { readonly metadata: JsonObject };
}

/** The facts mask what differs each time; where a declaration wants base64 the mask must be some. */
const unmasked = (text: string): string => text.replaceAll('<base64 PEM request>', 'YQ==');

const pairs: readonly Pair[] = existsSync(REFERENCE) ? JSON.parse(unmasked(readFileSync(REFERENCE, 'utf8'))) : [];

/** Paths that say nothing about preparation. */
const ADDED_LATER: Readonly<Record<string, readonly string[]>> = {
  Node: ['spec.taints'],
  PersistentVolume: ['metadata.finalizers'],
  PersistentVolumeClaim: ['metadata.finalizers'],
  Pod: ['spec'],
  Service: ['spec'],
};

const GENERATED = '<generated>';
const v = vocabularies.platform;
const all = builtInTypes(v);
const types = all.filter(isStored).filter(servedWith([], all));
const context: HookContext = {
  runtime: { ...systemRuntime, uuid: () => GENERATED },
  vocabulary: v,
  features: DEFAULT_FEATURES,
};

const requester = userNamed('admin', ['system:masters', 'system:authenticated'], '1');

const typeOf = ({ apiVersion, kind }: Pair['post']): ResourceType | undefined =>
  types.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);

const tested = pairs.flatMap((pair) => {
  const type = typeOf(pair.post);
  return type ? [{ ...pair, type }] : [];
});

describe.skipIf(tested.length === 0)('new objects, against the reference (skipped where there is none)', () => {
  it('are there for every resource type', () => {
    const shown = new Set(tested.map(({ type }) => type));
    expect(types.filter((type) => !shown.has(type))).toEqual([]);
  });

  it.each(tested)('$id', ({ type, post, result }) => {
    const later = ['metadata.managedFields', 'metadata.resourceVersion', ...(ADDED_LATER[post.kind] ?? [])];
    expect(JSON.stringify(without(prepared(type, post, result), later), null, 1)).toBe(
      JSON.stringify(without(structuredClone(result), later), null, 1),
    );
  });
});

/** What the registry does to a new object, short of admission. */
function prepared(type: ResourceType, post: JsonObject, result: Pair['result']): JsonObject {
  const hub = hubOf(type);
  const object = toHub(type, readObject(type, post));
  const { metadata } = object;
  metadata.name ||= String(result.metadata.name);
  metadata.uid = GENERATED;
  if (type.namespaced) metadata.namespace = 'default';
  if (hub.strategy.generation) metadata.generation = 1;
  clearFields(object, hub.createResets ?? hub.rules.resets);
  hub.complete?.(object, context);
  dropGatedFields(hub, object, undefined, context.features);
  hub.prepareCreate?.(object, context, requester);
  const stored = canonicalise(hub.schema, object).value;
  const shown = fromHub(type, stored);
  return { ...shown, metadata: { ...shown.metadata, creationTimestamp: GENERATED } };
}

function without(object: JsonObject, paths: readonly string[]): JsonObject {
  for (const path of paths) {
    const segments = path.split('.');
    const last = segments.pop() ?? '';
    let holder: unknown = object;
    for (const segment of segments) holder = isObject(holder) ? holder[segment] : undefined;
    if (isObject(holder)) delete holder[last];
  }
  return object;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
