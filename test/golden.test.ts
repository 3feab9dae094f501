import { describe, expect, it } from 'vitest';
import { decodeProtobuf, encodeProtobuf } from '../src/codec/protobuf.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { decodeMessage } from '../src/schema/derive/protobuf.ts';
import type { Node } from '../src/schema/node.ts';
import { type GoldenSample, goldenSamples } from './golden-samples.ts';

/** Holds the binary form against samples with every field filled in, as a server of this interface writes them. */

const samples = await goldenSamples();
const declared = samples.filter((sample): sample is GoldenSample & { schema: Node } => sample.schema !== undefined);

describe.skipIf(samples.length === 0)('protobuf, against the reference (skipped where there is none)', () => {
  it('knows all samples but those of versions that are not served', () => {
    expect(declared.length).toBeGreaterThanOrEqual(84);
  });

  it.each(declared)('$name is read as its JSON', ({ schema, object, bytes }) => {
    const { apiVersion, kind, raw } = decodeProtobuf(bytes);
    expect({ apiVersion, kind }).toEqual({ apiVersion: object.apiVersion ?? '', kind: object.kind ?? '' });

    const typeMeta = object.kind === undefined ? {} : { kind, apiVersion };
    const { value, unknown } = canonicalise(schema, { ...typeMeta, ...decodeMessage(schema, raw) });
    expect(unknown).toEqual([]);
    expect(JSON.stringify(value, null, 1)).toBe(JSON.stringify(object, null, 1));
  });

  it.each(declared)('$name is written as the same bytes', ({ schema, object, bytes }) => {
    const { apiVersion = '', kind = '' } = object;
    const { value } = canonicalise(schema, object);
    expect(encodeProtobuf(schema, String(apiVersion), String(kind), value).toString('latin1')).toBe(
      bytes.toString('latin1'),
    );
  });
});
