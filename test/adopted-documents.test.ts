import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { adopt, arrange, canonicalise, settle } from '../src/schema/derive/canonical.ts';
import { isObject, setOwn } from '../src/schema/json-object.ts';
import { vocabularyNamed } from '../src/vocabulary/vocabulary.ts';
import { arbitraryOf } from './arbitrary.ts';
import { startTestServer } from './support/test-server.ts';

const RUNS = 10;

const types = builtInTypes(vocabularyNamed('platform')).map((type) => [`${type.version} ${type.kind}`, type] as const);

/** What clients send besides: fields in another order, nulls, and fields that no kind has. `draw` is uniform in [0, 1). */
function disturbed(value: unknown, draw: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => disturbed(item, draw));
  if (!isObject(value)) return value;
  const result = {};
  const names = draw() < 0.5 ? Object.keys(value).reverse() : Object.keys(value);
  for (const name of names) {
    if (draw() < 0.05) setOwn(result, `no-${name}`, { inside: [1, null] });
    setOwn(result, name, draw() < 0.05 ? null : disturbed(value[name], draw));
  }
  return result;
}

function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A reading, or the words in which it is refused. */
function outcome<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

describe('a document that is adopted', () => {
  it.each(types)('%s: becomes the same value as one that is copied, and the same is said of it', (_, { schema }) => {
    const property = fc.property(arbitraryOf(schema), fc.nat(), (sent, seed) => {
      const text = JSON.stringify(disturbed(sent, drawing(seed)));
      const copied = outcome(() => {
        const { value, unknown } = canonicalise(schema, JSON.parse(text));
        return { text: JSON.stringify(value), unknown };
      });
      const adopted = outcome(() => {
        const { value, unknown } = adopt(schema, JSON.parse(text));
        return { text: JSON.stringify(arrange(schema, value)), unknown };
      });
      expect(adopted).toEqual(copied);
    });
    fc.assert(property, { numRuns: RUNS, seed: 1 });
  });

  it.each(types)(
    '%s: whatever was done to it since, becomes the same value as without being changed',
    (_, { schema }) => {
      const property = fc.property(arbitraryOf(schema), fc.nat(), (sent, seed) => {
        const draft = disturbed(sent, drawing(seed));
        const before = JSON.stringify(draft);
        const settled = outcome(() => JSON.stringify(settle(schema, draft)));
        expect(JSON.stringify(draft)).toBe(before);
        expect(outcome(() => JSON.stringify(arrange(schema, draft as never)))).toBe(settled);
      });
      fc.assert(property, { numRuns: RUNS, seed: 2 });
    },
  );

  it('is itself the draft', () => {
    const [[, type]] = types.filter(([name]) => name === 'v1 Pod') as [(typeof types)[number]];
    const spec = { containers: [{ image: 'a', name: 'a', resources: {} }] };
    const document = { spec, metadata: { name: 'a' } };
    const { value } = adopt(type.schema, document);
    expect(value).toBe(document);
    expect(Reflect.get(value, 'spec')).toBe(spec);
    expect(Object.keys(value)).toEqual(['spec', 'metadata', 'status']);
  });
});

describe('a document without a name', () => {
  it('is read again when the name that was made up for it is taken', async () => {
    let zeros = 0;
    const random = () => (zeros-- > 0 ? 0 : systemRuntime.random());
    const plane = await startTestServer({ runtime: { ...systemRuntime, random } });
    onTestFinished(() => plane.close());
    const maps = '/api/v1/namespaces/default/configmaps';
    await plane.admin.request('POST', maps, { metadata: { name: 'a-bbbbb' } });
    // Enough for one name, whoever else draws meanwhile, and not for two.
    zeros = 7;
    const { status, body } = await plane.admin.request('POST', maps, {
      metadata: { generateName: 'a-' },
      data: { x: 'y' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ metadata: { name: expect.stringMatching(/^a-(?!bbbbb).{5}$/) }, data: { x: 'y' } });
  });
});
