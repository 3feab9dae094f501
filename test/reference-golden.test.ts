import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../src/kinds/apiextensions/custom-resource-definition.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import type { Node } from '../src/schema/node.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { declaredTypes } from './declared-types.ts';
import { typeNames } from './golden-samples.ts';

/** Samples with every field filled in, as a server of this interface writes them, are in canonical form to the byte. */

const GOLDEN = join(import.meta.dirname, '../../shared/reference/golden');

interface Sample {
  readonly file: string;
  readonly schema: Node;
  readonly object: unknown;
}

const files = (existsSync(GOLDEN) ? readdirSync(GOLDEN) : []).filter((file) => file.endsWith('.json'));
const declared = new Map(await declaredTypes());
declared.set('apiextensions.v1.CustomResourceDefinition', customResourceDefinition(vocabularies.kubernetes));

/** Nothing for a kind or version that is not served. */
function sampleIn(file: string): Sample[] {
  const object = JSON.parse(readFileSync(join(GOLDEN, file), 'utf8'));
  const schema = typeNames(file.replace(/\.json$/, ''))
    .map((name) => declared.get(name))
    .find((node) => node !== undefined);
  return schema ? [{ file, schema, object }] : [];
}

const samples = files.flatMap(sampleIn);

describe.skipIf(files.length === 0)('samples of the reference (skipped where there are none)', () => {
  it.each(samples)('$file', ({ schema, object }) => {
    const { value, unknown } = canonicalise(schema, object);
    expect(unknown).toEqual([]);
    expect(JSON.stringify(value, null, 1)).toBe(JSON.stringify(object, null, 1));
  });
});
