import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, ConfigMap, connect, Namespace, Pod } from '../../src/client/index.ts';
import { brokenOff } from '../../src/testing/interception.ts';
import { startTestPlane, type TestPlane, type TestPlaneOptions } from '../../src/testing/test-plane.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const planes: TestPlane[] = [];

async function start(options?: TestPlaneOptions): Promise<TestPlane> {
  const plane = await startTestPlane(options);
  planes.push(plane);
  return plane;
}

afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.stop();
});

const widgets = (group: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    ],
  },
});

describe.each(['platform', 'kubernetes'] as const)('a test plane with the names of %s', (vocabulary) => {
  it('has a client with all rights, and others who act as whom they are told', async () => {
    const plane = await start({ vocabulary });
    expect(plane.client.vocabulary.name).toBe(vocabulary);
    const maps = plane.client.of(ConfigMap).inNamespace('default');
    await maps.create({ metadata: { name: 'a' }, data: { key: 'value' } });
    const alice = await plane.clientAs('alice', ['staff']);
    const refusal = await alice
      .of(ConfigMap)
      .inNamespace('default')
      .find('a')
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: 'Forbidden', message: expect.stringContaining('User "alice"') });
  });

  it('has control loops: a namespace goes with all that is in it', async () => {
    const plane = await start({ vocabulary });
    const namespace = await plane.namespace();
    await plane.client
      .of(ConfigMap)
      .inNamespace(namespace.name)
      .create({ metadata: { name: 'a' } });
    await namespace.delete();
    expect(await plane.client.of(Namespace).find(namespace.name)).toBeUndefined();
    expect((await plane.client.of(ConfigMap).inNamespace(namespace.name).list()).items).toEqual([]);
  });

  it('applies definitions before objects of their kinds, whatever the order', async () => {
    const plane = await start({ vocabulary });
    const { apiextensions } = plane.client.vocabulary.groups;
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace: 'shop' },
      size: 3,
    };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const applied = await plane.apply([widget, namespace, widgets(apiextensions)]);
    expect(applied.map(({ kind }) => kind)).toEqual(['Widget', 'Namespace', 'CustomResourceDefinition']);
    expect(applied[0]).toMatchObject({ size: 3 });
  });
});

describe('a test plane', () => {
  it('has namespaces in which pods can be made at once, each with a name of its own', async () => {
    const plane = await start();
    await plane.client.of(Namespace).create({ metadata: { name: 'shop-2' } });
    const names = [await plane.namespace('shop'), await plane.namespace('shop')].map(({ name }) => name);
    expect(names).toEqual(['shop-1', 'shop-3']);
    for (const name of names) {
      const pods = plane.client.of(Pod).inNamespace(name);
      await pods.create({ metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'none' }] } });
    }
  });

  it('waits for no account where the loop that makes it is off', async () => {
    const plane = await start({ controllers: ['*', '-serviceaccount'] });
    expect((await plane.namespace()).name).toBe('test-1');
  });

  it('has a configuration for other processes, which goes when it stops', async () => {
    const plane = await start();
    const { configFile } = plane;
    expect(await readFile(configFile, 'utf8')).toContain(plane.url);
    using client = await connect({ configFile });
    expect((await client.of(Namespace).get('default')).metadata.name).toBe('default');
    await plane.stop();
    expect(existsSync(configFile)).toBe(false);
  });

  it('stops once, however often it is told, and answers nothing from then on', async () => {
    const plane = await start();
    await Promise.all([plane.stop(), plane.stop()]);
    await expect(plane.client.of(Namespace).get('default')).rejects.toThrow();
  });

  it('applies files by a pattern', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'more', 'deep'), { recursive: true });
    const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    await writeFile(join(directory, 'b.yaml'), `${map('b1')}---\n${map('b2')}`);
    await writeFile(join(directory, 'a.yaml'), map('a'));
    await writeFile(join(directory, 'a.txt'), 'nothing of the kind');
    await writeFile(join(directory, 'more', 'deep', 'c.yaml'), map('c'));
    const plane = await start();
    const names = async (pattern: string) =>
      (await plane.apply(join(directory, pattern))).map(({ metadata }) => metadata.name);
    expect(await names('*.yaml')).toEqual(['a', 'b1', 'b2']);
    expect(await names('**/?.yaml')).toEqual(['a', 'b1', 'b2', 'c']);
    expect(await names('.')).toEqual(['a', 'b1', 'b2']);
    await expect(plane.apply(join(directory, '*.json'))).rejects.toThrow('*.json');
  });
});

describe('hooks on requests', () => {
  it('refuse those that a filter means, and leave others alone', async () => {
    const plane = await start();
    const alice = await plane.clientAs('alice', ['system:masters']);
    const seen: string[] = [];
    const hooked = plane.intercept(
      { client: 'alice', verb: ['create', 'get'], kind: 'ConfigMap' },
      {
        before(request) {
          seen.push(`${request.client} ${request.verb} ${request.kind} ${request.name}`);
          if (request.verb === 'create') throw new ApiError('Conflict', 'somebody was faster');
        },
      },
    );
    const document = { metadata: { name: 'a' } };
    const maps = alice.of(ConfigMap).inNamespace('default');
    await expect(maps.create(document)).rejects.toMatchObject({ reason: 'Conflict', code: 409 });
    await plane.client.of(ConfigMap).inNamespace('default').create(document);
    await maps.get('a');
    await maps.list();
    expect(seen).toEqual(['alice create ConfigMap ', 'alice get ConfigMap a']);
    hooked[Symbol.dispose]();
    await maps.create({ metadata: { name: 'b' } });
  });

  it('hold requests up', async () => {
    const plane = await start();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    plane.intercept({ kind: 'configmaps', verb: 'create' }, { before: () => held });
    const maps = plane.client.of(ConfigMap).inNamespace('default');
    const creation = maps.create({ metadata: { name: 'a' } });
    expect(await maps.find('a')).toBeUndefined();
    release();
    await creation;
    expect(await maps.find('a')).toBeDefined();
  });

  it('see every answer, in the order in which hooks were added, and may give another', async () => {
    const plane = await start();
    const seen: number[] = [];
    plane.intercept({ kind: 'ConfigMap' }, { answer: (_request, reply) => ({ ...reply, status: reply.status + 1 }) });
    plane.intercept(
      { kind: 'ConfigMap' },
      {
        answer(_request, reply) {
          seen.push(reply.status);
          return reply;
        },
      },
    );
    const { status } = await plane.client.raw({ method: 'GET', target: '/api/v1/namespaces/default/configmaps/none' });
    expect([status, seen]).toEqual([405, [405]]);
  });

  it('break connections off', async () => {
    const plane = await start();
    plane.intercept({ verb: 'list' }, { answer: brokenOff });
    await expect(plane.client.of(ConfigMap).inNamespace('default').list()).rejects.toThrow();
    expect(await plane.client.of(ConfigMap).inNamespace('default').find('a')).toBeUndefined();
  });

  it('leave the plane’s own loops alone unless they are meant', async () => {
    const plane = await start();
    const seen: string[] = [];
    const accounts = { verb: 'create', kind: 'ServiceAccount' };
    plane.intercept(accounts, { before: () => void seen.push('of a client') });
    plane.intercept({ ...accounts, loops: true }, { before: ({ namespace }) => void seen.push(namespace) });
    const { name } = await plane.namespace();
    expect(seen).toContain(name);
    expect(seen).not.toContain('of a client');
  });
});
