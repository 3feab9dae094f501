import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedPlane, THINGS, thing } from '../../../test/support/scripted-plane.ts';
import { Informer } from '../informing/informer.ts';
import type { AnyObject } from '../plane-client.ts';
import { fromKey, keyOf } from './keys.ts';
import type { Controller } from './reconciler.ts';
import { type ControllerOptions, runController, watching } from './run-controller.ts';
import { NotYet } from './work-queue.ts';

type Thing = AnyObject & { readonly note: string };

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

function control(plane: ScriptedPlane, options: Partial<ControllerOptions> & { keys?(object: Thing): string[] } = {}) {
  const { keys, ...others } = options;
  const informer = new Informer<Thing>(plane, { kind: THINGS });
  const reconciled: string[] = [];
  const errors: unknown[] = [];
  const controller: Controller = runController({
    runtime: plane.runtime,
    watches: [keys ? watching(informer, keys) : watching(informer)],
    reconcile: async (key) => void reconciled.push(key),
    onError: (_key, error) => errors.push(error),
    ...others,
  });
  endings.push(() => informer.close());
  return { informer, controller, reconciled, errors };
}

describe('a controller', () => {
  it('looks at every object, when all are known', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)], 'more');
    plane.page(5, [thing('b', 2)]);
    const seen: number[] = [];
    const { informer, reconciled } = control(plane, {
      async reconcile(key) {
        reconciled.push(key);
        seen.push(informer.store.size);
      },
    });
    await expect.poll(() => reconciled).toEqual(['n/a', 'n/b']);
    expect(seen).toEqual([2, 2]);
  });

  it('looks at the keys of an object as it was and as it is, and of one that is gone', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, []);
    const { reconciled } = control(plane, { keys: ({ note }) => [note] });
    await plane.watched(1);
    plane.send('ADDED', thing('a', 6, 'red'));
    await expect.poll(() => reconciled).toEqual(['red']);
    plane.send('MODIFIED', thing('a', 7, 'blue'));
    await expect.poll(() => reconciled.slice(1).sort()).toEqual(['blue', 'red']);
    plane.send('DELETED', thing('a', 8, 'blue'));
    await expect.poll(() => reconciled.slice(3)).toEqual(['blue']);
  });

  it('looks again at what failed, later at what it is told to, and waits for what it is at when it is closed', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    let end = (): void => {};
    const { controller, reconciled, errors } = control(plane, {
      async reconcile(key, queue) {
        reconciled.push(key);
        if (reconciled.length === 1) throw new Error('failed');
        if (reconciled.length === 2) throw new NotYet();
        if (reconciled.length === 3) queue.addAfter(key, 60_000);
        if (reconciled.length === 4) {
          await new Promise<void>((resolve) => {
            end = resolve;
          });
        }
      },
    });
    await expect.poll(() => reconciled.length).toBe(3);
    expect(errors).toEqual([new Error('failed')]);
    plane.runtime.advance(60_000);
    await expect.poll(() => reconciled.length).toBe(4);
    let isClosed = false;
    const closing = controller.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    end();
    await closing;
  });

  it('that is closed before anything was listed looks at nothing', async () => {
    const plane = new ScriptedPlane();
    const { controller, reconciled, informer } = control(plane);
    await controller.close();
    informer.close();
    expect(reconciled).toEqual([]);
  });
});

it('keys are read as they are written, with a namespace and without', () => {
  for (const metadata of [{ namespace: 'n', name: 'a' }, { name: 'a' }]) {
    const object = { kind: 'Thing', apiVersion: 'v1', metadata } as AnyObject;
    expect(fromKey(keyOf(object))).toEqual({ namespace: '', ...metadata });
  }
});
