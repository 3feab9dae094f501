import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, Namespace, Pod } from '../../src/client/index.ts';
import { NotSettled } from '../../src/testing/settling/expectation.ts';
import { objectIn, type PlaneMatchers, planeMatchers } from '../../src/testing/settling/matchers.ts';
import { startTestPlane, type TestPlane, type TestPlaneOptions } from '../../src/testing/test-plane.ts';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is extended has it so
  interface Matchers<T = any> extends PlaneMatchers<T> {}
}

let plane: TestPlane;

afterEach(() => plane.stop());

async function start(options: TestPlaneOptions = {}) {
  plane = await startTestPlane(options);
  const maps = plane.client.of(ConfigMap).inNamespace('default');
  await maps.create({ metadata: { name: 'a' }, data: { counter: '0' } });
  return maps;
}

describe('a plane', () => {
  it('settles when nobody writes any more, and stays so', async () => {
    await start();
    const namespace = await plane.namespace();
    const deletion = namespace.delete();
    const { writes, writings } = await plane.expect().toSettle({ quiet: 2_000 });
    expect(writes).toBeGreaterThan(0);
    expect(writings.map(({ object }) => object)).toContain(`Namespace ${namespace.name}`);
    await deletion;
    await plane.expect().toStaySettled(50);
  });

  it('settles on a manual clock, which is advanced for it', async () => {
    await start({ clock: 'manual', controllers: ['-*'] });
    const before = plane.runtime.monotonic();
    await plane.expect().toSettle({ quiet: '1m', within: '10m' });
    expect(plane.runtime.monotonic() - before).toBeGreaterThanOrEqual(60_000);
  });

  it('names the author of a write storm, and the field', async () => {
    const maps = await start({ controllers: ['-*'] });
    let isOver = false;
    const storm = (async () => {
      for (let at = 1; !isOver; at++) await maps.patch('a', { merge: { data: { counter: String(at) } } });
    })();
    using chaos = plane.chaos({ seed: 42 });
    const failure = await plane
      .expect({ kind: 'ConfigMap' })
      .toSettle({ mostWrites: 10, quiet: 5_000 })
      .catch((error: unknown) => error);
    isOver = true;
    await storm;
    expect(failure).toBeInstanceOf(NotSettled);
    expect(String(failure)).toMatch(
      /a write storm: \S+ \(test-plane\) wrote ConfigMap default\/a \d+ times, mostly data\.counter \(chaos seed 42\)/,
    );
    expect(chaos.seed).toBe(42);
  });

  it('names who writes again and again without changing anything', async () => {
    const maps = await start({ controllers: ['-*'] });
    let isOver = false;
    const storm = (async () => {
      while (!isOver) await maps.patch('a', { merge: { data: { counter: '0' } } });
    })();
    const settling = plane.expect().toSettle({ mostWrites: 5, quiet: 5_000 });
    await expect(settling).rejects.toThrow('and changed nothing');
    isOver = true;
    await storm;
  });

  it('does not settle with errors, unless they are what every controller meets', async () => {
    const maps = await start({ controllers: ['-*'] });
    const settling = plane.expect().toSettle({ quiet: 300 });
    await maps.get('none').catch(() => undefined);
    await settling;
    const failing = plane.expect().toSettle({ quiet: 5_000 });
    await Promise.all([
      expect(failing).rejects.toThrow(/errors while it settled:\n.*create ConfigMap → 422/),
      maps.create({ metadata: { name: 'No Name' } }).catch(() => undefined),
    ]);
  });

  it('does not stay settled when somebody writes', async () => {
    const maps = await start({ controllers: ['-*'] });
    const staying = plane.expect().toStaySettled(10_000);
    await Promise.all([
      expect(staying).rejects.toThrow('written after settling'),
      maps.patch('a', { merge: { data: { counter: '1' } } }),
    ]);
  });
});

describe('matchers', () => {
  expect.extend(planeMatchers);

  it('wait for what is to be, and say what there is instead', async () => {
    const maps = await start();
    const a = objectIn(maps, 'a');
    await expect(a).toExist();
    const deletion = maps.delete('a');
    await expect(a).toBeGone();
    await deletion;
    await expect(a).not.toExist();
    await expect(expect(a).toExist({ within: 1 })).rejects.toThrow('expected a to exist within 1 ms');
    const namespace = objectIn(plane.client.of(Namespace), 'default');
    await expect(expect(namespace).toHaveCondition('Ready', 'True', { within: 1 })).rejects.toThrow(
      'expected default to have the condition Ready=True within 1 ms; it has no conditions',
    );
    await expect(plane).toSettle({ quiet: 50 });
  });

  it('find conditions', async () => {
    await start();
    const { name } = await plane.namespace();
    const pods = plane.client.of(Pod).inNamespace(name);
    await pods.create({ metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'none' }] } });
    await pods.status.patch('p', { merge: { status: { conditions: [{ type: 'Ready', status: 'True' }] } } });
    await expect(objectIn(pods, 'p')).toHaveCondition('Ready');
    await expect(objectIn(pods, 'p')).not.toHaveCondition('Ready', 'False');
  });
});
