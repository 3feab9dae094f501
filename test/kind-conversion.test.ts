import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { internalBecause } from '../src/api/errors.ts';
import { sealNew } from '../src/objects/seal.ts';
import { Catalogue } from '../src/registry/catalogue.ts';
import { Encoder } from '../src/registry/encoding.ts';
import { objectKey } from '../src/registry/keys.ts';
import type { Kind } from '../src/registry/kind.ts';
import type { ApiObject, ResourceType } from '../src/registry/resource-type.ts';
import { ZOO, zooKind } from '../src/registry/test-kinds.ts';
import { convertedVersions } from '../src/registry/version-converter.ts';
import { systemRuntime as runtime } from '../src/runtime/runtime.ts';
import { draftOf } from '../src/schema/draft.ts';
import { MemoryBackend } from '../src/storage/backends/memory/memory-backend.ts';
import { openPlane, type Plane } from './histories/plane.ts';

/** Objects of a kind that are stored in several of its versions, and converted by someone who takes time. */

const PATH = (version: string): string => `/apis/${ZOO}/${version}/namespaces/ns/lions`;
const encoder = new Encoder(runtime);

/** As much of an answer as tests look at. */
interface Shown {
  readonly apiVersion?: string;
  readonly metadata: { readonly name: string };
  readonly roar?: string;
}

interface Lion extends ApiObject {
  readonly roar?: string;
}

/** Says in an object from where to where it was converted. A call is answered when the test says so. */
class Converter {
  readonly cache = convertedVersions();
  readonly runtime = runtime;
  readonly calls: string[] = [];
  #gate: Promise<unknown> = Promise.resolve();
  failure: unknown;

  /** Nothing is answered until the returned function is called. */
  hold(): () => void {
    let open = (): void => {};
    this.#gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    return () => open();
  }

  async convert(objects: readonly Lion[], from: ResourceType, to: ResourceType): Promise<readonly ApiObject[]> {
    this.calls.push(`${from.version}>${to.version} ${objects.map(({ metadata }) => metadata.name)}`);
    await this.#gate;
    if (this.failure) throw this.failure;
    return objects.map((object) => ({ ...object, roar: `${object.roar} ${from.version}>${to.version}` }));
  }
}

let converter: Converter;
let catalogue: Catalogue;
let lions: Kind;
let plane: Plane;

beforeEach(async () => {
  converter = new Converter();
  catalogue = new Catalogue();
  lions = zooKind('lions', ['v1', 'v2', 'v3'], { conversion: converter });
  catalogue.add(lions);
  const options = { retentionMs: 300_000, historyMemory: 1 << 26, catalogue };
  plane = await openPlane(new MemoryBackend({ runtime }), runtime, options);
});
afterEach(() => plane.log.close());

const typeIn = (version: string, kind = lions): ResourceType => {
  const type = kind.in(`${ZOO}/${version}`);
  if (!type) throw new Error(`there is no ${version}`);
  return type;
};

async function store(version: string, name: string, labels: Record<string, string> = {}, isGone = false) {
  const type = typeIn(version);
  const key = objectKey(type, 'ns', name);
  const metadata = { name, namespace: 'ns', creationTimestamp: null, labels };
  const object: ApiObject & Lion = { kind: 'Lion', apiVersion: `${ZOO}/${version}`, metadata, roar: name };
  const value = encoder.encode(sealNew(type.schema, draftOf(object)), false);
  await plane.log.commit({ key, expected: plane.log.get(key)?.revision ?? 0, value, delete: isGone });
}

const shown = ({ apiVersion, metadata, roar }: Shown): string => `${apiVersion} ${metadata.name}: ${roar}`;

describe('an object that is stored in another version', () => {
  it('is converted before it is shown', async () => {
    await store('v1', 'leo');
    const { status, body } = await plane.request('GET', `${PATH('v2')}/leo`);
    expect([status, shown(body)]).toEqual([200, `${ZOO}/v2 leo: leo v1>v2`]);
    expect(body.metadata.resourceVersion).toBe(String(plane.log.get(`/lions.${ZOO}/ns/leo`)?.revision));
  });

  it('is converted once for all who want it', async () => {
    await store('v1', 'leo');
    const open = converter.hold();
    const asked = [1, 2, 3].map(() => plane.request('GET', `${PATH('v2')}/leo`));
    await expect.poll(() => converter.calls.length).toBeGreaterThan(0);
    open();
    for (const { body } of await Promise.all(asked)) expect(shown(body)).toBe(`${ZOO}/v2 leo: leo v1>v2`);
    await plane.request('GET', `${PATH('v2')}/leo`);
    expect(converter.calls).toEqual(['v1>v2 leo']);
    await plane.request('GET', `${PATH('v3')}/leo`);
    expect(converter.calls).toEqual(['v1>v2 leo', 'v1>v3 leo']);
  });

  it('is left alone when it is asked for in the version it is stored in', async () => {
    await store('v1', 'leo');
    const { body } = await plane.request('GET', `${PATH('v1')}/leo`);
    expect([shown(body), converter.calls]).toEqual([`${ZOO}/v1 leo: leo`, []]);
  });

  it('is converted anew when its kind is another by now', async () => {
    await store('v1', 'leo');
    await plane.request('GET', `${PATH('v2')}/leo`);
    catalogue.replace(zooKind('lions', ['v1', 'v2'], { conversion: converter }));
    await plane.request('GET', `${PATH('v2')}/leo`);
    expect(converter.calls).toEqual(['v1>v2 leo', 'v1>v2 leo']);
  });

  it('cannot be shown when it cannot be converted, and can when it can be', async () => {
    await store('v1', 'leo');
    converter.failure = internalBecause('the converter is away');
    const { status, body } = await plane.request('GET', `${PATH('v2')}/leo`);
    expect([status, body.message]).toEqual([500, 'Internal error occurred: the converter is away']);
    expect((await plane.request('GET', PATH('v2'))).status).toBe(500);
    expect((await plane.request('GET', `${PATH('v1')}/leo`)).status).toBe(200);
    converter.failure = undefined;
    expect((await plane.request('GET', `${PATH('v2')}/leo`)).status).toBe(200);
  });

  it('cannot be shown when its kind has its version no more', async () => {
    await store('v1', 'leo');
    catalogue.replace(zooKind('lions', ['v2', 'v3'], { conversion: converter }));
    const { status, body } = await plane.request('GET', `${PATH('v2')}/leo`);
    expect([status, body.message]).toEqual([
      500,
      `Internal error occurred: an object is stored in version ${ZOO}/v1, which its kind no longer has`,
    ]);
  });
});

describe('a list', () => {
  it('shows all in one version, and converts those of each other one together', async () => {
    await store('v1', 'a');
    await store('v2', 'b');
    await store('v1', 'c');
    await store('v3', 'd');
    const { body } = await plane.request('GET', PATH('v2'));
    expect(body.items.map((item: Shown) => `${item.metadata.name}: ${item.roar}`)).toEqual([
      'a: a v1>v2',
      'b: b',
      'c: c v1>v2',
      'd: d v3>v2',
    ]);
    expect(converter.calls).toEqual(['v1>v2 a,c', 'v3>v2 d']);
  });

  it('of many is converted while it is read, batch by batch', async () => {
    await Promise.all(Array.from({ length: 5_100 }, (_, index) => store(index % 2 ? 'v1' : 'v2', `lion-${index}`)));
    const { body } = await plane.request('GET', PATH('v2'));
    const roars: string[] = body.items.map(({ roar = '' }: Shown) => roar);
    expect([roars.length, roars.filter((roar) => roar.endsWith(' v1>v2')).length]).toEqual([5_100, 2_550]);
    expect(converter.calls.length).toBeGreaterThan(5);
    const sizes = converter.calls.map((call) => call.split(',').length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
  });
});

/** What a watch has sent so far. */
async function openWatch(target: string): Promise<{ readonly events: string[]; readonly over: Promise<void> }> {
  const { body } = await plane.watch(target);
  const events: string[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const part of body) {
      const lines = (text + part.toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        events.push(type === 'ERROR' ? `ERROR ${object.message}` : `${type} ${shown(object)}`);
      }
    }
  };
  return { events, over: read() };
}

describe('a watch', () => {
  it('shows what there is and every change, in order, however long each takes to convert', async () => {
    await store('v1', 'a');
    await store('v2', 'b');
    const { events } = await openWatch(`${PATH('v2')}?watch=true`);
    await expect.poll(() => events).toEqual([`ADDED ${ZOO}/v2 a: a v1>v2`, `ADDED ${ZOO}/v2 b: b`]);
    const open = converter.hold();
    await store('v1', 'c');
    await store('v2', 'd');
    await store('v1', 'c', {}, true);
    await expect.poll(() => converter.calls.length).toBe(2);
    expect(events).toHaveLength(2);
    open();
    await expect
      .poll(() => events.slice(2))
      .toEqual([`ADDED ${ZOO}/v2 c: c v1>v2`, `ADDED ${ZOO}/v2 d: d`, `DELETED ${ZOO}/v2 c: c v1>v2`]);
  });

  it('shows an object that leaves its selection as it last was in it', async () => {
    await store('v1', 'a', { mood: 'good' });
    const { events } = await openWatch(`${PATH('v2')}?watch=true&labelSelector=mood%3Dgood`);
    await store('v1', 'a', { mood: 'bad' });
    await store('v1', 'b', { mood: 'bad' });
    await expect.poll(() => events).toEqual([`ADDED ${ZOO}/v2 a: a v1>v2`, `DELETED ${ZOO}/v2 a: a v1>v2`]);
  });

  it('is converted once for all who watch', async () => {
    const watches = await Promise.all([1, 2, 3].map(() => openWatch(`${PATH('v2')}?watch=true`)));
    await store('v1', 'a');
    for (const { events } of watches) await expect.poll(() => events).toEqual([`ADDED ${ZOO}/v2 a: a v1>v2`]);
    expect(converter.calls).toEqual(['v1>v2 a']);
  });

  it('ends and says why when a change cannot be converted', async () => {
    const { events, over } = await openWatch(`${PATH('v2')}?watch=true`);
    converter.failure = new Error('the converter is away');
    await store('v1', 'a');
    await over;
    expect(events).toEqual(['ERROR Internal error occurred: Error: the converter is away']);
  });
});

it('a kind says which versions it can read', () => {
  expect(['v1', 'v3', 'v4'].map((version) => lions.reads(`${ZOO}/${version}`))).toEqual([true, true, false]);
  const plain = zooKind('lions', ['v1', 'v2']);
  expect(['v1', 'v2'].map((version) => plain.reads(`${ZOO}/${version}`))).toEqual([false, true]);
});

it('a kind that does not convert is never prepared', async () => {
  await store('v1', 'a');
  const versions = plane.log.list(`lions.${ZOO}`);
  expect(zooKind('lions', ['v1', 'v2']).prepare(versions, typeIn('v2'))).toBeUndefined();
  // One that does looks at each version once, and knows it then.
  expect(await lions.prepare(versions, typeIn('v1'))).toEqual(versions);
  expect(lions.prepare(versions, typeIn('v1'))).toBeUndefined();
});
