import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShiftableRuntime } from '../../test/support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from '../../test/support/test-server.ts';
import type { Leadership } from '../client/leading/leadership.ts';
import { Informer } from '../registry/informer.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import type { ControllerParts } from './controller.ts';
import { leadAmongServers } from './stored-lease.ts';

const LEASE = '/apis/coordination.platform.io/v1/namespaces/platform-system/leases/loops';

/** The time of everyone, in a process that can be stopped: nothing comes due in it then. */
class StoppableRuntime implements Runtime {
  readonly #runtime: Runtime;
  isStopped = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  after(milliseconds: number, callback: () => void): Timer {
    return this.#runtime.after(milliseconds, () => {
      if (!this.isStopped) callback();
    });
  }

  now = () => this.#runtime.now();
  monotonic = () => this.#runtime.monotonic();
  soon = (callback: () => void) => this.#runtime.soon(callback);
  uuid = () => this.#runtime.uuid();
  random = () => this.#runtime.random();
  bytes = (count: number) => this.#runtime.bytes(count);
}

interface Candidate {
  readonly name: string;
  readonly runtime: StoppableRuntime;
  readonly leadership: Leadership;
  /** How often its loop was begun, and whether it runs. */
  begun: number;
  isRunning: boolean;
  term: ControllerParts['term'];
}

describe('of several candidates', () => {
  let plane: TestServer;
  let clock: ShiftableRuntime;
  let candidates: Candidate[];
  let errors: unknown[];

  function stand(name: string): Candidate {
    const { objects, registry, catalogue } = plane.server;
    const runtime = new StoppableRuntime(clock);
    const parts = {
      registry,
      catalogue,
      objects,
      informer: new Informer({ objects, catalogue, onError: (error) => errors.push(error) }),
      runtime,
      vocabulary: vocabularies.platform,
      onError: (_controller: string, _key: string, error: unknown) => errors.push(error),
    } as unknown as ControllerParts;
    const loop = ({ term }: ControllerParts) => {
      Object.assign(candidate, { begun: candidate.begun + 1, isRunning: true, term });
      return {
        async close() {
          candidate.isRunning = false;
        },
      };
    };
    const candidate = { name, runtime, begun: 0, isRunning: false, term: undefined } as unknown as Candidate;
    Object.assign(candidate, { leadership: leadAmongServers(parts, { name: 'loops', identity: name }, [loop]) });
    candidates.push(candidate);
    return candidate;
  }

  const running = () => candidates.filter(({ isRunning }) => isRunning).map(({ name }) => name);
  const holder = async () => (await plane.admin.request('GET', LEASE)).body.spec;

  beforeEach(async () => {
    plane = await startTestServer();
    clock = new ShiftableRuntime();
    candidates = [];
    errors = [];
  });

  afterEach(async () => {
    for (const { runtime, leadership } of candidates) {
      runtime.isStopped = false;
      await leadership.close();
    }
    await plane.close();
    // The clock may be put forward while a request is under way.
    expect(errors.filter((error) => !/in time$/.test(String(error)))).toEqual([]);
  });

  it('one leads, and goes on leading', async () => {
    for (const name of ['a', 'b', 'c']) stand(name);
    await expect.poll(running).toHaveLength(1);
    const [leader] = running();
    for (let i = 0; i < 10; i++) {
      const { renewTime } = await holder();
      clock.advance(2_000);
      await expect.poll(async () => (await holder()).renewTime !== renewTime).toBe(true);
      expect(running()).toEqual([leader]);
    }
    expect(candidates.map(({ begun }) => begun).sort()).toEqual([0, 0, 1]);
    expect(await holder()).toMatchObject({ holderIdentity: leader, leaseTransitions: 0, leaseDurationSeconds: 10 });
  });

  it('another follows at once when the leader is closed', async () => {
    const first = stand('a');
    await expect.poll(running).toEqual(['a']);
    stand('b');
    await first.leadership.close();
    await expect.poll(running).toEqual(['b']);
    expect(await holder()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('another follows within 15 seconds when the leader has stopped, which cannot write any more', async () => {
    const first = stand('a');
    await expect.poll(running).toEqual(['a']);
    const second = stand('b');
    const { term } = first;
    term?.check();
    // What it has seen of the leader counts from then on.
    await expect.poll(async () => (await holder()).holderIdentity).toBe('a');
    first.runtime.isStopped = true;
    for (let passed = 0; passed < 15_000 && !second.isRunning; passed += 1_000) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(() => second.isRunning).toBe(true);
    expect(() => term?.beginChange()).toThrow(/allotted timeout/);
    first.runtime.isStopped = false;
    await first.leadership.close();
    expect(await holder()).toMatchObject({ holderIdentity: 'b' });
  });

  it('a leader that finds another in its place ends its loops', async () => {
    const first = stand('a');
    await expect.poll(running).toEqual(['a']);
    const lease = (await plane.admin.request('GET', LEASE)).body;
    await plane.admin.request('PUT', LEASE, { ...lease, spec: { ...lease.spec, holderIdentity: 'elsewhere' } });
    clock.advance(2_000);
    await expect.poll(running).toEqual([]);
    expect(first.leadership.isLeading).toBe(false);
    clock.advance(12_000);
    await expect.poll(running).toEqual(['a']);
    expect(first.begun).toBe(2);
  });
});
