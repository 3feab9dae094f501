import { afterEach, describe, expect, it } from 'vitest';
import { readConnection } from '../../src/client/config/load-connection.ts';
import { ConfigMap, connect, Event, Lease, NotYet, Pod, ServiceAccount, watching } from '../../src/client/index.ts';
import { ManualClock } from '../../src/testing/manual-clock.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';

describe('a manual clock', () => {
  it('calls what comes due in its order, each with the time at which it was due', async () => {
    const clock = new ManualClock({ start: 1_000_000 });
    const seen: [string, number][] = [];
    const note = (name: string) => () => void seen.push([name, clock.now() - 1_000_000]);
    clock.after(3_000, note('third'));
    clock.after(1_000, () => {
      note('first')();
      clock.after(1_000, note('second'));
    });
    clock.after(3_000, note('also third'));
    clock.after(9_000, note('never'));
    clock.after(2_500, note('cancelled')).cancel();
    await clock.advance(5_000);
    expect(seen).toEqual([
      ['first', 1_000],
      ['second', 2_000],
      ['third', 3_000],
      ['also third', 3_000],
    ]);
    expect(clock.monotonic()).toBe(5_000);
  });

  it('waits for what follows before it goes on', async () => {
    const clock = new ManualClock();
    const seen: string[] = [];
    clock.after(1_000, () => {
      clock.soon(() => clock.soon(() => void Promise.resolve().then(() => seen.push('followed'))));
    });
    clock.after(1_001, () => void seen.push('later'));
    await clock.advance(2_000);
    expect(seen).toEqual(['followed', 'later']);
  });

  it('lets short pauses pass by themselves, and long ones never', async () => {
    const clock = new ManualClock();
    let isLong = false;
    clock.after(101, () => {
      isLong = true;
    });
    await new Promise<void>((resolve) => clock.after(20, resolve));
    expect([clock.monotonic(), isLong]).toEqual([20, false]);
  });

  it('goes forward only', () => {
    expect(() => new ManualClock().advance(-1)).toThrow(RangeError);
  });
});

describe('a plane with a manual clock', () => {
  let plane: TestPlane;

  afterEach(() => plane.stop());

  const start = async (): Promise<TestPlane> => {
    plane = await startTestPlane({ clock: 'manual' });
    return plane;
  };

  it('has time stand still', async () => {
    await start();
    const maps = plane.client.of(ConfigMap).inNamespace('default');
    const first = await maps.create({ metadata: { name: 'a' } });
    await plane.advance('1h');
    const second = await maps.create({ metadata: { name: 'b' } });
    const [before, after] = [first, second].map(({ metadata }) => Date.parse(String(metadata.creationTimestamp)));
    expect(((after ?? 0) - (before ?? 0)) / 1000).toBeCloseTo(3600, -1);
  });

  it('has events go when their time is over', async () => {
    await start();
    const events = plane.client.of(Event).inNamespace('default');
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'a' };
    await events.create({ metadata: { name: 'a' }, involvedObject, reason: 'Tested' });
    await plane.advance('59m');
    expect(await events.find('a')).toBeDefined();
    await plane.advance('2m');
    expect(await events.find('a')).toBeUndefined();
  });

  it('has tokens end', async () => {
    await start();
    const { name } = await plane.namespace();
    const accounts = plane.client.of(ServiceAccount).inNamespace(name);
    const { token } = await accounts.requestToken('default', { expirationSeconds: 600 });
    const { server, ca } = await readConnection(plane.server.adminConfig, '.');
    const connection = { server, ca, insecureSkipTlsVerify: false, token };
    using client = await connect({ connection, vocabulary: 'platform' });
    const ask = () => client.raw({ method: 'GET', target: '/version' }).then(({ status }) => status);
    expect(await ask()).toBe(200);
    await plane.advance('9m');
    expect(await ask()).toBe(200);
    await plane.advance('2m');
    expect(await ask()).toBe(401);
  });

  it('has watches get their bookmarks, and keeps connections', async () => {
    await start();
    const maps = plane.client.of(ConfigMap).inNamespace('default');
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of maps.watch({ fieldSelector: { 'metadata.name': 'none' } })) {
        seen.push(type);
        if (seen.length === 3) return;
      }
    })();
    while (seen.length < 3) await plane.advance('61s');
    await watching;
    expect(seen).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
  });

  it('has controllers of its clients come again when they said', async () => {
    await start();
    const handled: number[] = [];
    const informer = await plane.client.of(ConfigMap).inNamespace('default').informer();
    const controller = plane.client.runController({
      watches: [watching(informer, ({ metadata }) => [metadata.name ?? ''])],
      reconcile: async (key: string) => {
        if (key !== 'own') return;
        handled.push(plane.runtime.monotonic());
        throw new NotYet('not yet');
      },
    });
    await plane.client
      .of(ConfigMap)
      .inNamespace('default')
      .create({ metadata: { name: 'own' } });
    await expect.poll(() => handled.length).toBeGreaterThan(0);
    const before = handled.length;
    await plane.advance('10m');
    expect(handled.length).toBeGreaterThan(before + 5);
    await controller.close();
    await informer.close();
  });

  it('takes another for the leader when a lease is not renewed', async () => {
    await start();
    const leases = plane.client.of(Lease).inNamespace('default');
    const made = await leases.create({
      metadata: { name: 'a' },
      spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 },
    });
    expect(made.spec?.holderIdentity).toBe('gone');
    const leadership = plane.client.lead({ namespace: 'default', name: 'a', identity: 'here', run: async () => {} });
    const holder = async () => (await leases.get('a')).spec?.holderIdentity;
    expect(await holder()).toBe('gone');
    // A candidate asks over a connection: an advance does not wait for it.
    await expect.poll(() => plane.advance('10s').then(holder)).toBe('here');
    await leadership.close();
  });

  it('refuses what is no duration', async () => {
    await start();
    await expect(plane.advance('soon')).rejects.toThrow('"soon"');
    await using real = await startTestPlane();
    await expect(real.advance('1s')).rejects.toThrow('manual');
  });

  it('makes pods in new namespaces without being advanced', async () => {
    await start();
    const { name } = await plane.namespace();
    const spec = { containers: [{ name: 'main', image: 'none' }] };
    await plane.client
      .of(Pod)
      .inNamespace(name)
      .create({ metadata: { name: 'a' }, spec });
  });
});
