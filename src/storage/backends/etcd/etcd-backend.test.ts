import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Etcd } from '../../../../test/support/etcd.ts';
import { havePeer } from '../../../../test/support/peers.ts';
import { ShiftableRuntime } from '../../../../test/support/shiftable-runtime.ts';
import { TcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { systemRuntime } from '../../../runtime/runtime.ts';
import {
  type Outcome,
  OutcomeUnknown,
  StorageRefused,
  StorageUnavailable,
  type StoredVersion,
  stamp,
  type Write,
} from '../../backend.ts';
import { describeBackend } from '../../contract.ts';
import { Cluster } from './cluster.ts';
import { EtcdBackend, type EtcdBackendOptions } from './etcd-backend.ts';

const put = (key: string, expected = 0, text = ''): Write => ({ key, expected, value: { head: '', tail: text } });
const remove = (key: string, expected: number): Write => ({ ...put(key, expected), delete: true });

describe.runIf(havePeer('etcd', '--version'))('with a real etcd', () => {
  let etcd: Etcd;
  let prefixes = 0;

  beforeAll(async () => {
    etcd = await Etcd.start();
  });

  afterAll(() => etcd?.close());

  const freshPrefix = () => `/test-${prefixes++}`;

  const backendAt = (prefix: string, changes: Partial<EtcdBackendOptions> = {}): EtcdBackend =>
    new EtcdBackend({ runtime: systemRuntime, endpoints: etcd.endpoints, prefix, vocabulary: 'platform', ...changes });

  /** A backend, opened, with everything it has told; closed when the test is over. */
  async function open(prefix: string, changes: Partial<EtcdBackendOptions> = {}) {
    const backend = backendAt(prefix, changes);
    onTestFinished(() => backend.close());
    const told: StoredVersion[] = [];
    const replaced: { state: readonly StoredVersion[]; revision: number }[] = [];
    let position = 0;
    const opening = await backend.open(
      (versions) => told.push(...versions),
      (versions, revision) => {
        told.push(...versions);
        position = revision;
      },
      (state, revision) => replaced.push({ state, revision }),
    );
    return { backend, opening, told, replaced, position: () => position };
  }

  async function openProxied(prefix: string) {
    const proxy = await TcpProxy.to(etcd.endpoints[0] ?? '');
    onTestFinished(() => proxy.close());
    return { proxy, ...(await open(prefix, { endpoints: [proxy.url] })) };
  }

  /** Someone who writes to the same etcd and is none of our servers. */
  function stranger(): Cluster {
    const cluster = new Cluster({ runtime: systemRuntime, endpoints: etcd.endpoints });
    onTestFinished(() => cluster.close());
    return cluster;
  }

  /** Resolves when etcd has the key. */
  async function arrival(key: string): Promise<void> {
    const cluster = stranger();
    await expect.poll(async () => (await cluster.range({ key })).entries).toHaveLength(1);
  }

  const writeBeside = (cluster: Cluster, key: string) =>
    cluster.txn({
      compare: [],
      success: [{ put: key, value: Buffer.from('x') }],
      failure: [],
    });

  describeBackend('etcd', async () => {
    const prefix = freshPrefix();
    return { create: () => backendAt(prefix), dispose: async () => undefined };
  });

  describe('several backends over one prefix', () => {
    it('tell the same versions in the same order, whoever writes', async () => {
      const prefix = freshPrefix();
      const stores = await Promise.all([open(prefix), open(prefix), open(prefix)]);
      const life = async (i: number): Promise<void> => {
        const at = (step: number) => stores[(i + step) % stores.length]?.backend;
        const created = await at(0)?.commit(put(`/pods/a/${i}`));
        const updated = await at(1)?.commit(put(`/pods/a/${i}`, created?.revision, 'x'));
        if (i % 3 === 0) await at(2)?.commit(remove(`/pods/a/${i}`, updated?.revision ?? 0));
      };
      await Promise.all(Array.from({ length: 60 }, (_, i) => life(i)));
      for (const { backend } of stores) await backend.current();
      const [first, second, third] = stores.map(({ told }) => told.map(({ facets, ...rest }) => rest));
      expect(first).toHaveLength(140);
      expect(second).toEqual(first);
      expect(third).toEqual(first);
    });

    it('have all that was acknowledged anywhere once they say what is current', async () => {
      const prefix = freshPrefix();
      const [a, b] = await Promise.all([open(prefix), open(prefix)]);
      for (let i = 0; i < 30; i++) {
        const { revision } = await a.backend.commit(put(`/pods/a/${i}`));
        expect(await b.backend.current()).toBe(revision);
        expect(b.told.at(-1)?.revision).toBe(revision);
      }
    });

    it('begin no earlier than what others may have told clients, also where nothing of ours happened', async () => {
      const prefix = freshPrefix();
      const { revision } = await (await open(prefix)).backend.commit(put('/pods/a/1'));
      const beside = await writeBeside(stranger(), `${prefix}-beside`);
      const { opening } = await open(prefix);
      expect(beside.revision).toBeGreaterThan(revision);
      expect(opening.revision).toBeGreaterThanOrEqual(beside.revision);
    });

    it('outrun a write with a guard when another one with it came after what was seen', async () => {
      const prefix = freshPrefix();
      const [a, b] = await Promise.all([open(prefix), open(prefix)]);
      const guarded = (key: string, seen: number): Write => ({ ...put(key), guard: { name: 'supply', seen } });
      const first = await a.backend.commit(guarded('/services/a/1', a.opening.revision));
      expect(first.conflict).toBe(false);
      const late = await b.backend.commit(guarded('/services/a/2', first.revision - 1));
      expect(late).toEqual({ conflict: true, revision: 0, outrun: true });
      await b.backend.commit(put('/services/a/3'));
      expect(await b.backend.commit(guarded('/services/a/2', first.revision))).toMatchObject({ conflict: false });
      expect(await a.backend.commit(guarded('/services/a/1', await a.backend.current()))).toEqual({
        conflict: true,
        revision: first.revision,
      });
    });

    it('let one of them compact what all have given up', async () => {
      const prefix = freshPrefix();
      const [a, b] = await Promise.all([open(prefix), open(prefix)]);
      const { revision } = await a.backend.commit(put('/pods/a/1'));
      await a.backend.commit(put('/pods/a/1', revision));
      await Promise.all([a.backend.compact(revision), b.backend.compact(revision), b.backend.compact(revision - 1)]);
      expect((await open(prefix)).opening.compacted).toBe(revision);
    });
  });

  describe('a connection that fails', () => {
    it('is made again: nothing that happened meanwhile is lost or told twice', async () => {
      const prefix = freshPrefix();
      const [near, far] = [await open(prefix), await openProxied(prefix)];
      const revisions: number[] = [];
      for (let i = 0; i < 30; i++) {
        if (i % 10 === 3) far.proxy.cut();
        if (i % 10 === 7) far.proxy.restore();
        revisions.push((await near.backend.commit(put(`/pods/a/${i}`))).revision);
      }
      await expect.poll(() => far.told.map(({ revision }) => revision)).toEqual(revisions);
      expect(far.replaced).toEqual([]);
    });

    it('makes writes and reads fail, and they succeed again by themselves', async () => {
      const { backend, proxy } = await openProxied(freshPrefix());
      proxy.cut();
      await expect(backend.current()).rejects.toBeInstanceOf(StorageUnavailable);
      const write = backend.commit(put('/pods/a/1'));
      await expect(write).rejects.toBeInstanceOf(StorageUnavailable);
      await expect(write).rejects.not.toBeInstanceOf(OutcomeUnknown);
      proxy.restore();
      expect(await backend.commit(put('/pods/a/1'))).toMatchObject({ conflict: false });
    });

    it('after a write was sent: the write is answered when it comes back', async () => {
      const prefix = freshPrefix();
      const { backend, proxy, told } = await openProxied(prefix);
      proxy.mute();
      const write = backend.commit(put('/pods/a/1', 0, 'sent'));
      await arrival(`${prefix}/pods/a/1`);
      proxy.restore();
      const { conflict, revision } = await write;
      expect(conflict).toBe(false);
      expect(told.map((version) => version.revision)).toEqual([revision]);
    });

    it('for good after a write was sent: nobody claims to know, and it may be there', async () => {
      const prefix = freshPrefix();
      const { backend, proxy } = await openProxied(prefix);
      proxy.mute();
      const write = backend.commit(put('/pods/a/1', 0, 'sent'));
      await arrival(`${prefix}/pods/a/1`);
      proxy.cut();
      await expect(write).rejects.toBeInstanceOf(OutcomeUnknown);
      expect((await open(prefix)).told.map(({ key }) => key)).toEqual(['/pods/a/1']);
    });

    it('for longer than history is kept: the state is told as a whole', async () => {
      const prefix = freshPrefix();
      const [near, far] = [await open(prefix), await openProxied(prefix)];
      const gone = await near.backend.commit(put('/pods/a/gone'));
      await far.backend.current();
      far.proxy.cut();
      await near.backend.commit(remove('/pods/a/gone', gone.revision));
      const kept = await near.backend.commit(put('/pods/a/kept'));
      const last = await near.backend.commit(put('/pods/a/last'));
      await near.backend.compact(last.revision);
      far.proxy.restore();
      await expect.poll(() => far.replaced).toHaveLength(1);
      const [{ state, revision } = { state: [], revision: 0 }] = far.replaced;
      expect(state.map((version) => version.revision)).toEqual([kept.revision, last.revision]);
      expect(revision).toBeGreaterThanOrEqual(last.revision);
      const later = await near.backend.commit(put('/pods/a/later'));
      expect(await far.backend.current()).toBe(later.revision);
      expect(far.told.at(-1)?.revision).toBe(later.revision);
    });
  });

  describe('others that use the same etcd', () => {
    it('move the revision on, which a quiet log learns', async () => {
      const runtime = new ShiftableRuntime();
      const { position, opening, told } = await open(freshPrefix(), { runtime });
      const { revision } = await writeBeside(stranger(), '/beside');
      expect(revision).toBeGreaterThan(opening.revision);
      runtime.advance(10_000);
      await expect.poll(position).toBeGreaterThanOrEqual(revision);
      expect(told).toEqual([]);
    });

    it('may compact it: who has missed nothing goes on', async () => {
      const prefix = freshPrefix();
      const { backend, proxy, replaced } = await openProxied(prefix);
      await backend.commit(put('/pods/a/1'));
      proxy.cut();
      const cluster = stranger();
      await writeBeside(cluster, '/beside');
      const { revision } = await writeBeside(cluster, '/beside');
      await cluster.compact(revision);
      proxy.restore();
      await expect.poll(() => backend.commit(put('/pods/a/2'))).toMatchObject({});
      expect(replaced).toEqual([]);
    });

    it('may delete objects: what they were is found out', async () => {
      const prefix = freshPrefix();
      const { backend, told, replaced } = await open(prefix);
      for (const name of ['1', '2', '3']) await backend.commit(put(`/pods/a/${name}`));
      const success = ['1', '2'].map((name) => ({ remove: `${prefix}/pods/a/${name}` }));
      const { revision } = await stranger().txn({ compare: [], success, failure: [] });
      await backend.commit(put('/pods/a/4'));
      const last = told.slice(-3).map(({ key, deleted }) => `${key} ${deleted}`);
      expect(last).toEqual(['/pods/a/1 true', '/pods/a/2 true', '/pods/a/4 false']);
      expect(told.at(-2)).toMatchObject({ revision, bytes: stamp(put('/pods/a/2').value, revision) });
      expect(replaced).toEqual([]);
    });

    it('may delete more than can be looked up: what is left is told as a whole', async () => {
      const prefix = freshPrefix();
      const { backend, replaced } = await open(prefix);
      await Promise.all(Array.from({ length: 501 }, (_, i) => backend.commit(put(`/pods/a/${i}`))));
      await backend.commit(put('/pods/b/1'));
      const key = Buffer.from(`${prefix}/pods/a/`).toString('base64');
      const body = JSON.stringify({ key, range_end: Buffer.from(`${prefix}/pods/a0`).toString('base64') });
      await fetch(`${etcd.endpoints[0]}/v3/kv/deleterange`, { method: 'POST', body });
      await expect.poll(() => replaced[0]?.state.map(({ key }) => key)).toEqual(['/pods/b/1']);
    });

    it('do not keep what was written before theirs from being read', async () => {
      const prefix = freshPrefix();
      const [near, far] = await Promise.all([open(prefix), open(prefix)]);
      const cluster = stranger();
      for (let i = 0; i < 10; i++) {
        const { revision } = await near.backend.commit(put(`/pods/a/${i}`));
        const beside = await writeBeside(cluster, '/beside');
        expect(await far.backend.current()).toBeGreaterThanOrEqual(beside.revision);
        expect(far.told.at(-1)?.revision).toBe(revision);
        expect(far.position()).toBeGreaterThanOrEqual(beside.revision);
      }
    });

    it('may delete an object before a server is started, which finds out what it was', async () => {
      const prefix = freshPrefix();
      const { backend } = await open(prefix);
      await backend.commit(put('/pods/a/1'));
      await backend.commit(put('/pods/a/2'));
      await backend.close();
      const { revision } = await stranger().txn({
        compare: [],
        success: [{ remove: `${prefix}/pods/a/1` }],
        failure: [],
      });
      const { told } = await open(prefix);
      expect(told.at(-1)).toMatchObject({ key: '/pods/a/1', deleted: true, revision });
    });

    it('keep what is below their prefix', async () => {
      const prefix = freshPrefix();
      await writeBeside(stranger(), `${prefix}/pods/a/1`);
      await expect(open(prefix)).rejects.toBeInstanceOf(StorageRefused);
    });
  });

  it('does not open under another vocabulary', async () => {
    const prefix = freshPrefix();
    await open(prefix);
    await expect(open(prefix, { vocabulary: 'other' })).rejects.toThrow(
      /vocabulary platform; it cannot be opened in other/,
    );
  });

  it('makes a store of the former format its own once all servers agree, with a deletion that says nothing', async () => {
    const prefix = freshPrefix();
    const { backend } = await open(prefix);
    const { revision } = await backend.commit(put('/pods/a/gone'));
    await backend.commit(put('/pods/a/kept'));
    await backend.close();
    const cluster = stranger();
    const success = [{ put: `${prefix}/.store/head`, value: Buffer.from('') }, { remove: `${prefix}/pods/a/gone` }];
    await cluster.txn({ compare: [{ key: `${prefix}/pods/a/gone`, revision }], success, failure: [] });
    const before = { put: `${prefix}/.store/identity`, value: Buffer.from('1 platform') };
    await cluster.txn({ compare: [], success: [before], failure: [] });
    const { told, backend: taking } = await open(prefix);
    expect(told.map(({ key, deleted }) => `${key} ${deleted}`)).toEqual([
      '/pods/a/gone false',
      '/pods/a/kept false',
      '/pods/a/gone true',
    ]);
    const identity = async () =>
      (await cluster.range({ key: `${prefix}/.store/identity` })).entries[0]?.value.toString();
    taking.format?.agree(1);
    expect(await identity()).toBe('1 platform');
    taking.format?.agree(2);
    await expect.poll(identity).toBe('2 platform');
  });

  it('does not open, and says why, when no member answers', async () => {
    const proxy = await TcpProxy.to(etcd.endpoints[0] ?? '');
    onTestFinished(() => proxy.close());
    proxy.cut();
    const { url } = proxy;
    await expect(open(freshPrefix(), { endpoints: [url] })).rejects.toThrow(`no member of etcd answers (${url}: `);
  });

  it('gives back objects of all sizes, in many pages', async () => {
    const prefix = freshPrefix();
    const { backend } = await open(prefix);
    const text = (i: number): string => 'x'.repeat(i % 50 === 0 ? 200_000 : i);
    const outcomes: Outcome[] = [];
    // In portions: a write that waits in line for longer than etcd may take is given up.
    for (let from = 0; from < 700; from += 100) {
      const portion = Array.from({ length: 100 }, (_, i) => put(`/pods/a/${from + i}`, 0, text(from + i)));
      outcomes.push(...(await Promise.all(portion.map((write) => backend.commit(write)))));
    }
    await backend.compact(Math.max(...outcomes.map(({ revision }) => revision)));
    const { told } = await open(prefix);
    const expected = outcomes.map(({ revision }, i) => [revision, `${revision}${text(i)}`.length]);
    expect(told.map(({ revision, bytes }) => [revision, bytes.length])).toEqual(
      expected.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
    );
  });
});
