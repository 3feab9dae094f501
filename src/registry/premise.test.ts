import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainRegistry } from '../../test/support/plain-registry.ts';
import { ApiError, tooManyRequests } from '../api/errors.ts';
import { SERVER_USER } from '../api/user.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import type { Backend, Deliver, Load, Opening, Outcome, Write } from '../storage/backend.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { type Admission, NO_ADMISSION } from './admission.ts';
import { Catalogue } from './catalogue.ts';
import { Objects } from './objects.ts';
import type { Registry } from './registry.ts';
import type { ApiObject } from './resource-type.ts';
import { zooKind } from './test-kinds.ts';

type Lion = ApiObject & { roar?: string };

const lions = zooKind('lions', ['v1']);
const type = lions.storage;
const OPTIONS = { user: SERVER_USER };
const ref = { type, namespace: 'ns', name: 'leo', subresource: '' };

/** Two servers over one store, the second of which hears of what the first writes only when it asks. */
class LateBackend implements Backend {
  readonly isShared = true;
  questions = 0;
  readonly #store: Backend;
  #held: Parameters<Deliver>[] = [];
  #deliver: Deliver = () => {};

  constructor(store: Backend) {
    this.#store = store;
  }

  open(load: Load, deliver: Deliver): Promise<Opening> {
    this.#deliver = deliver;
    const hold: Deliver = (...batch) => {
      this.#held.push(batch);
    };
    return this.#store.open(load, hold, () => {});
  }

  hear(): void {
    const held = this.#held;
    this.#held = [];
    for (const batch of held) this.#deliver(...batch);
  }

  async current(): Promise<number> {
    this.questions++;
    this.hear();
    return this.#store.current();
  }

  async commit(write: Write): Promise<Outcome> {
    const outcome = await this.#store.commit(write);
    this.hear();
    return outcome;
  }

  async compact(): Promise<void> {}

  close(): Promise<void> {
    return this.#store.close();
  }
}

let store: MemoryBackend;
let backend: LateBackend;
let log: VersionLog;
let registry: Registry;

async function open(admission: Admission = NO_ADMISSION): Promise<void> {
  store = new MemoryBackend({ runtime });
  backend = new LateBackend(store);
  log = await VersionLog.open(backend, { runtime });
  const vocabulary = vocabularies.platform;
  const catalogue = new Catalogue();
  catalogue.add(lions);
  const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
  registry = plainRegistry({ log, runtime, vocabulary, catalogue, objects, admission });
  await registry.create(type, 'ns', { metadata: { name: 'leo' }, roar: 'loud' }, OPTIONS);
  backend.questions = 0;
}

beforeEach(() => open());
afterEach(() => log.close());

/** A change of whatever version there is. */
const roaring = (sound: (former: string | undefined) => string) => (current: ApiObject | undefined) => {
  if (!current) return undefined;
  const { resourceVersion: _any, ...metadata } = current.metadata;
  return { ...current, metadata, roar: sound((current as Lion).roar) };
};
const updated = (text: string) =>
  registry.update(
    ref,
    roaring(() => text),
    OPTIONS,
  );
const roarOf = ({ object }: { object: ApiObject }) => (object as Lion).roar;

/** A write of the other server, which this one has not heard of. */
async function elsewhere(write: Partial<Write> & { roar?: string }): Promise<number> {
  const key = '/lions.zoo.example/ns/leo';
  const expected = log.get(key)?.revision ?? 0;
  const head = `{"kind":"Lion","apiVersion":"zoo.example/v1","metadata":{"name":"leo","namespace":"ns","uid":"1","resourceVersion":"`;
  const value = { head, tail: `","creationTimestamp":null},"roar":"${write.roar ?? 'elsewhere'}"}` };
  const outcome = await store.commit({ key, expected, value, ...write });
  expect(outcome.conflict).toBe(false);
  return outcome.revision;
}

it('a change is made without asking first', async () => {
  expect(roarOf(await updated('soft'))).toBe('soft');
  await registry.delete(type, 'ns', 'leo', OPTIONS);
  expect(backend.questions).toBe(0);
});

it('a change of an object that is another by now is made of what it is', async () => {
  await elsewhere({ roar: 'elsewhere' });
  const seen: unknown[] = [];
  const change = roaring((former) => {
    seen.push(former);
    return `${former}!`;
  });
  expect(roarOf(await registry.update(ref, change, OPTIONS))).toBe('elsewhere!');
  expect(seen).toEqual(['loud', 'elsewhere']);
  expect(backend.questions).toBe(0);
});

it('what would change nothing of an object that is another by now changes it', async () => {
  await elsewhere({ roar: 'soft' });
  expect(roarOf(await updated('loud'))).toBe('loud');
  expect(log.get('/lions.zoo.example/ns/leo')?.bytes.toString()).toContain('"roar":"loud"');
});

it('what changes nothing is told once that is certain, and is not tried again for what others did elsewhere', async () => {
  let tries = 0;
  const same = (current: ApiObject | undefined) => {
    tries++;
    return current;
  };
  await store.commit({
    key: '/lions.zoo.example/ns/nala',
    expected: 0,
    value: { head: '{"metadata":{"resourceVersion":"', tail: '"}}' },
  });
  const { version } = await registry.update(ref, same, OPTIONS);
  expect(version).toBe(log.get('/lions.zoo.example/ns/leo'));
  expect(tries).toBe(1);
  expect(backend.questions).toBe(1);
});

it('a version that only the other server knows can be named', async () => {
  const revision = await elsewhere({});
  const change = (current: ApiObject | undefined) => ({
    ...current,
    metadata: { ...current?.metadata, resourceVersion: String(revision) },
    roar: 'named',
  });
  expect(roarOf(await registry.update(ref, change, OPTIONS))).toBe('named');
});

it('an object that was made elsewhere can be changed and deleted at once, and one that was deleted is not there', async () => {
  await elsewhere({ delete: true });
  await expect(updated('soft')).rejects.toMatchObject({ reason: 'NotFound' });
  await elsewhere({ roar: 'again' });
  expect(roarOf(await updated('soft'))).toBe('soft');
  await elsewhere({ delete: true });
  await expect(registry.delete(type, 'ns', 'leo', OPTIONS)).rejects.toMatchObject({ reason: 'NotFound' });
  await elsewhere({ roar: 'again' });
  expect((await registry.delete(type, 'ns', 'leo', OPTIONS)).removed).toBe(true);
});

it('a refusal is told once it is certain, and after what has changed it is another matter', async () => {
  let asked = 0;
  await log.close();
  await open({
    ...NO_ADMISSION,
    validate() {
      asked++;
      const leo = log.get('/lions.zoo.example/ns/leo');
      if (!leo || leo.bytes.toString().includes('tamed')) return undefined;
      throw new ApiError('Forbidden', 'the lion is wild');
    },
  });
  await elsewhere({ roar: 'wild' });
  backend.hear();
  asked = 0;
  backend.questions = 0;
  await expect(updated('soft')).rejects.toMatchObject({ reason: 'Forbidden' });
  expect([asked, backend.questions]).toEqual([1, 1]);
  await elsewhere({ roar: 'tamed' });
  expect(roarOf(await updated('soft'))).toBe('soft');
});

it('a refusal is decided twice at most, however much others write meanwhile', async () => {
  let asked = 0;
  await log.close();
  await open({
    ...NO_ADMISSION,
    async validate() {
      if (asked++ === 0) return;
      await elsewhere({ roar: `wild ${asked}` });
      throw new ApiError('Forbidden', 'the lion is wild');
    },
  });
  asked = 1;
  await expect(updated('soft')).rejects.toMatchObject({ reason: 'Forbidden' });
  expect([asked, backend.questions]).toEqual([3, 1]);
});

it('what fails is not tried again, whatever has changed', async () => {
  let asked = 0;
  await log.close();
  await open({
    ...NO_ADMISSION,
    validate() {
      if (++asked > 1) throw new ApiError('InternalError', 'a webhook did not answer');
    },
  });
  await elsewhere({});
  await expect(updated('soft')).rejects.toMatchObject({ reason: 'InternalError' });
  expect([asked, backend.questions]).toEqual([2, 0]);
});

it('a budget that another server has refilled lets a change through', async () => {
  await elsewhere({ roar: 'rested' });
  const change = roaring((former) => {
    if (former === 'rested') return 'loud again';
    throw tooManyRequests('the lion is hoarse', 10);
  });
  expect(roarOf(await registry.update(ref, change, OPTIONS))).toBe('loud again');
});

it('what is only tried begins with what is current', async () => {
  await elsewhere({ roar: 'elsewhere' });
  const tried = await registry.update(ref, (current) => current && { ...current }, { ...OPTIONS, dryRun: true });
  expect(roarOf(tried)).toBe('elsewhere');
});

it('a failure of the store is told as it is, and nothing is tried again', async () => {
  let tries = 0;
  const change = roaring(() => {
    tries++;
    return 'never';
  });
  await store.close();
  await expect(registry.update(ref, change, OPTIONS)).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
  expect([tries, backend.questions]).toEqual([1, 0]);
});
