import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ShiftableRuntime } from '../../test/support/shiftable-runtime.ts';
import { AnswerTooLarge } from '../outbound/failures.ts';
import type { OpenStream } from './http-transport.ts';
import { Informer } from './informer.ts';
import { type AnyObject, PlaneClient, type PlaneRequest } from './plane-client.ts';
import type { ServedKind } from './served-kind.ts';

const RESOURCE = { group: '', plural: 'things' };
const KIND: ServedKind = { ...RESOURCE, version: 'v1', kind: 'Thing', namespaced: true, verbs: ['list', 'watch'] };

type Opened = Awaited<ReturnType<OpenStream>>;

const thing = (name: string, version: number, note = ''): object => ({
  metadata: { namespace: 'n', name, resourceVersion: String(version) },
  note,
});

/** A plane that answers what a test says, in order. */
class ScriptedPlane {
  readonly runtime = new ShiftableRuntime();
  readonly metaGroup = 'meta';
  readonly errors: unknown[] = [];
  readonly requests: PlaneRequest[] = [];
  readonly watches: { readonly target: URL; readonly stream: PassThrough }[] = [];
  readonly #pages: (object | Error)[] = [];
  /** The status of the next watch, 200 unless given. */
  nextStatus = 200;

  readonly client = new PlaneClient(async (request) => {
    this.requests.push(request);
    const page = this.#pages.shift();
    if (!page || page instanceof Error) throw page ?? new Error('nobody answers');
    const status = 'code' in page ? Number(page.code) : 200;
    return { status, body: Buffer.from(JSON.stringify(page)) };
  }, 'meta');

  readonly openStream: OpenStream = async (target) => {
    const stream = Object.assign(new PassThrough(), { statusCode: this.nextStatus });
    this.watches.push({ target: new URL(target, 'http://plane'), stream });
    if (this.nextStatus >= 400) stream.end(JSON.stringify({ reason: 'Expired', code: this.nextStatus }));
    this.nextStatus = 200;
    return stream as unknown as Opened;
  };

  onError(_resource: string, error: unknown): void {
    this.errors.push(error);
  }

  page(version: number, items: readonly object[], next = ''): void {
    this.#pages.push({ metadata: { resourceVersion: String(version), continue: next }, items });
  }

  refusal(refused: object | Error): void {
    this.#pages.push(refused);
  }

  send(type: string, object: object): void {
    this.watches.at(-1)?.stream.write(`${JSON.stringify({ type, object })}\n`);
  }

  /** Resolves when so many watches have been opened. */
  async watched(count: number): Promise<void> {
    await expect.poll(() => this.watches.length).toBe(count);
  }
}

const informers: Informer[] = [];

afterEach(() => {
  for (const informer of informers.splice(0)) informer.close();
});

function follow(plane: ScriptedPlane, part: object = {}, informer = new Informer(plane, RESOURCE)) {
  informers.push(informer);
  informer.turnTo(KIND);
  const told: string[] = [];
  const tell = (what: string) => (object: AnyObject) => {
    told.push(`${what}${object.metadata.name}@${object.metadata.resourceVersion}`);
  };
  const following = informer.follow(part, { onSet: tell('+'), onRemove: tell('-') });
  return { informer, told, ...following };
}

const namesIn = (informer: Informer): unknown[] => [...informer.each('', '')].map(({ metadata }) => metadata.name);

describe('what an informer follows', () => {
  it('is listed in pages, then watched from there on', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1), thing('b', 2)], 'more');
    plane.page(5, [thing('c', 3)]);
    const { told, informer, listed } = follow(plane);
    await listed;
    expect(told).toEqual(['+a@1', '+b@2', '+c@3']);
    expect(plane.requests.map(({ target }) => target)).toEqual([
      '/api/v1/things?limit=500',
      '/api/v1/things?limit=500&continue=more',
    ]);
    await plane.watched(1);
    expect(plane.watches[0]?.target.searchParams.get('resourceVersion')).toBe('5');
    plane.send('MODIFIED', thing('a', 6));
    plane.send('DELETED', thing('b', 7));
    plane.send('ADDED', thing('d', 8));
    await expect.poll(() => told.slice(3)).toEqual(['+a@6', '-b@7', '+d@8']);
    expect(namesIn(informer)).toEqual(['a', 'c', 'd']);
    expect(informer.get('n', 'a')).toMatchObject({ kind: 'Thing', apiVersion: 'v1' });
  });

  it('goes on after the last bookmark when a watch ends or breaks, and lists nothing again', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { told } = follow(plane);
    await plane.watched(1);
    plane.send('BOOKMARK', { metadata: { resourceVersion: '40' } });
    await expect.poll(() => plane.watches[0]?.stream.readableLength).toBe(0);
    plane.watches[0]?.stream.end();
    await plane.watched(2);
    expect(plane.watches[1]?.target.searchParams.get('resourceVersion')).toBe('40');
    plane.send('MODIFIED', thing('a', 41));
    await expect.poll(() => told).toEqual(['+a@1', '+a@41']);
    plane.watches[1]?.stream.destroy(new Error('the connection broke'));
    await plane.watched(3);
    expect(plane.watches[2]?.target.searchParams.get('resourceVersion')).toBe('41');
    expect(plane.requests).toHaveLength(1);
  });

  it.each(['when the watch is opened', 'in the watch'])(
    'is listed again when the plane has forgotten too much (410 %s), with what is gone',
    async (when) => {
      const plane = new ScriptedPlane();
      plane.page(5, [thing('a', 1), thing('b', 2), thing('c', 3)]);
      const { told, informer } = follow(plane);
      await plane.watched(1);
      plane.page(90, [thing('a', 1), thing('c', 80), thing('d', 81)]);
      if (when === 'in the watch') plane.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
      else {
        plane.nextStatus = 410;
        plane.watches[0]?.stream.end();
      }
      await expect.poll(() => told.slice(3)).toEqual(['+c@80', '+d@81', '-b@2']);
      expect(namesIn(informer)).toEqual(['a', 'c', 'd']);
      await expect.poll(() => plane.watches.at(-1)?.target.searchParams.get('resourceVersion')).toBe('90');
      expect(plane.errors).toEqual([]);
    },
  );

  it('is listed from the beginning when a list breaks off, in smaller pages when they are too large', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)], 'more');
    plane.refusal({ code: 410, reason: 'Expired', message: 'too old' });
    plane.refusal(new AnswerTooLarge('the answer is too large'));
    plane.page(6, [thing('b', 2)]);
    const { told, listed } = follow(plane);
    await listed;
    expect(plane.requests.at(-1)?.target).toBe('/api/v1/things?limit=125');
    expect(told).toEqual(['+a@1', '+b@2', '-a@1']);
  });

  it('is watched anew when not even bookmarks come', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, []);
    follow(plane);
    await plane.watched(1);
    await expect.poll(() => plane.watches[0]?.stream.readableFlowing).not.toBe(null);
    plane.runtime.advance(149_000);
    expect(plane.watches[0]?.stream.destroyed).toBe(false);
    plane.runtime.advance(2_000);
    await plane.watched(2);
    expect(plane.watches[0]?.stream.destroyed).toBe(true);
    expect(plane.errors).toHaveLength(1);
  });
});

describe('an informer of several', () => {
  it('lists and watches once', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const first = follow(plane);
    const second = follow(plane, { mentions: 'blue' }, first.informer);
    await Promise.all([first.listed, second.listed]);
    await plane.watched(1);
    plane.send('ADDED', thing('b', 6, 'blue'));
    plane.send('MODIFIED', thing('b', 7, 'red'));
    await expect.poll(() => first.told).toEqual(['+a@1', '+b@6', '+b@7']);
    expect(second.told).toEqual(['+b@6', '+b@7']);
    const third = follow(plane, { name: 'b' }, first.informer);
    await third.listed;
    expect(third.told).toEqual(['+b@7']);
    expect([plane.requests.length, plane.watches.length]).toEqual([1, 1]);
  });

  it('holds nothing that nobody asked for, until somebody does', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1, 'blue'), thing('b', 2)]);
    const blue = follow(plane, { mentions: 'blue' });
    await blue.listed;
    await plane.watched(1);
    expect(namesIn(blue.informer)).toEqual(['a']);
    plane.page(6, [thing('a', 1, 'blue'), thing('b', 2)]);
    const all = follow(plane, {}, blue.informer);
    await all.listed;
    expect(all.told).toEqual(['+a@1', '+b@2']);
    expect(blue.told).toEqual(['+a@1']);
    expect(namesIn(blue.informer)).toEqual(['a', 'b']);
  });

  it('tells that all are gone when their kind is, and of those that come with it again', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { informer, told, listed } = follow(plane);
    await listed;
    informer.turnTo(undefined);
    expect(told).toEqual(['+a@1', '-a@1']);
    plane.page(9, [thing('z', 8)]);
    informer.turnTo({ ...KIND, version: 'v2' });
    await expect.poll(() => told).toEqual(['+a@1', '-a@1', '+z@8']);
    expect(plane.requests.at(-1)?.target).toBe('/api/v2/things?limit=500');
  });
});
