import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AnyObject,
  Event,
  Lease,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from '../../src/client/index.ts';
import { stage } from '../../src/testing/stages/stage.ts';
import { startTestPlane, type TestPlane, type TestPlaneOptions } from '../../src/testing/test-plane.ts';
import { insist } from '../support/patience.ts';

const planes: TestPlane[] = [];

async function start(options?: TestPlaneOptions): Promise<TestPlane> {
  const plane = await startTestPlane(options);
  planes.push(plane);
  return plane;
}

afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.stop();
});

const CONTAINER = { name: 'main', image: 'busybox' };

const podsOf = (plane: TestPlane, namespace: string) => plane.client.of(Pod).inNamespace(namespace);

const conditionOf = (pod: Pod, wanted: string): string | undefined =>
  pod.status.conditions?.find(({ type }) => type === wanted)?.status;

describe.each(['platform', 'kubernetes'] as const)('with fake nodes and the names of %s', (vocabulary) => {
  it('a pod is scheduled, runs with an address and becomes ready', async () => {
    const plane = await start({ vocabulary });
    const stages = await plane.stages({ nodes: 3 });
    expect(stages.nodes).toEqual(['node-0', 'node-1', 'node-2']);
    const { name } = await plane.namespace();
    await podsOf(plane, name).create({ metadata: { name: 'a' }, spec: { containers: [CONTAINER] } });
    const pod = await insist(async () => {
      const seen = await podsOf(plane, name).get('a');
      expect(conditionOf(seen, 'Ready')).toBe('True');
      return seen;
    });
    expect(stages.nodes).toContain(pod.spec.nodeName);
    expect(pod.status).toMatchObject({ phase: 'Running', hostIP: '127.0.0.1', podIP: '10.64.0.1' });
    expect(pod.status.containerStatuses).toMatchObject([{ name: 'main', ready: true, restartCount: 0 }]);
  });
});

describe('on a manual clock', () => {
  it('nodes renew their leases every ten seconds and report every five minutes', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages({ nodes: 2 });
    const leases = plane.client.of(Lease).inNamespace(plane.client.vocabulary.namespaces.nodeLease);
    const renewed = async (): Promise<number> => Date.parse((await leases.get('node-1')).spec.renewTime ?? '');
    const heard = async (): Promise<number> => {
      const { status } = await plane.client.of(Node).get('node-1');
      return Date.parse(status.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime ?? '');
    };
    const [lease, heartbeat] = [await renewed(), await heard()];
    await plane.advance('10s');
    expect(await renewed()).toBeGreaterThan(lease);
    expect(await heard()).toBe(heartbeat);
    await plane.advance('5m');
    expect(plane.runtime.now() - (await renewed())).toBeLessThanOrEqual(10_000);
    expect(await heard()).toBeGreaterThan(heartbeat);
  });

  it('a node that is silenced renews nothing any more', async () => {
    const plane = await start({ clock: 'manual' });
    const stages = await plane.stages({ nodes: 2 });
    stages.silence('node-0');
    const leases = plane.client.of(Lease).inNamespace(plane.client.vocabulary.namespaces.nodeLease);
    const before = await leases.get('node-0');
    await plane.advance('1m');
    expect((await leases.get('node-0')).spec.renewTime).toBe(before.spec.renewTime);
    expect((await leases.get('node-1')).spec.renewTime).not.toBe(before.spec.renewTime);
  });

  it('a pod that does not restart always ends, well or badly as it says; others run for ever', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages({ nodes: 1 });
    const { name } = await plane.namespace();
    const pods = podsOf(plane, name);
    const make = (pod: string, restartPolicy: string, annotations: Record<string, string> = {}) =>
      pods.create({ metadata: { name: pod, annotations }, spec: { restartPolicy, containers: [CONTAINER] } });
    await make('done', 'Never');
    await make('failed', 'Never', { 'testing.platform.io/exit-code': '3', 'testing.platform.io/run-for': '5s' });
    await make('again', 'OnFailure', { 'testing.platform.io/exit-code': '1', 'testing.platform.io/run-for': '5s' });
    await make('server', 'Always');
    await plane.advance('4s');
    const phases = async (): Promise<unknown> =>
      Object.fromEntries((await pods.list()).items.map(({ metadata, status }) => [metadata.name, status.phase]));
    expect(await phases()).toEqual({ done: 'Succeeded', failed: 'Running', again: 'Running', server: 'Running' });
    await plane.advance('3s');
    expect(await phases()).toEqual({ done: 'Succeeded', failed: 'Failed', again: 'Running', server: 'Running' });
    expect((await pods.get('failed')).status.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(3);
    expect((await pods.get('again')).status.containerStatuses?.[0]?.restartCount).toBe(1);
  });

  it('a deleted pod takes the time that it says, and its grace period at most', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages({ nodes: 1 });
    const { name } = await plane.namespace();
    const pods = podsOf(plane, name);
    const make = (pod: string, slow: string) =>
      pods.create({
        metadata: { name: pod, annotations: { 'testing.platform.io/terminate-after': slow } },
        spec: { containers: [CONTAINER], terminationGracePeriodSeconds: 20 },
      });
    await make('slow', '5s');
    await make('stuck', '10m');
    await plane.advance('1s');
    await pods.delete('slow');
    await pods.delete('stuck');
    await plane.advance('4s');
    expect((await pods.list()).items).toHaveLength(2);
    await plane.advance('1s');
    expect((await pods.list()).items.map(({ metadata }) => metadata.name)).toEqual(['stuck']);
    await plane.advance('15s');
    expect((await pods.list()).items).toEqual([]);
  });

  it('stages of an own kind follow each other, with their delays, and leave events', async () => {
    const plane = await start({ clock: 'manual' });
    const { name } = await plane.namespace();
    await plane.apply(backups(plane));
    const kind = { apiVersion: 'example.com/v1', kind: 'Backup' };
    await plane.stages({
      stages: [
        stage({
          name: 'begins',
          kind,
          when: { absent: ['status.phase'], labels: { run: 'yes' } },
          delay: { from: '2s', to: '6s' },
          next: { status: { phase: 'Running', since: '$(now)' }, finalizers: { add: ['example.com/hold'] } },
        }),
        stage({
          name: 'ends',
          kind,
          when: { fields: { 'status.phase': 'Running' } },
          delay: '10s',
          next: {
            status: { phase: 'Done' },
            conditions: [{ type: 'Complete', status: 'True', reason: 'Copied' }],
            event: { reason: 'Copied', message: '$(name) is copied' },
          },
        }),
        stage({ name: 'goes', kind, when: { conditions: { Complete: 'True' } }, delay: '1m', next: GOES }),
      ],
    });
    const objects = plane.client.of<Backup>(kind).inNamespace(name);
    await objects.create({ metadata: { name: 'a', labels: { run: 'yes' } } });
    await objects.create({ metadata: { name: 'other' } });
    await plane.advance('6s');
    const running = await objects.get('a');
    expect(running.status?.phase).toBe('Running');
    expect(running.metadata.finalizers).toEqual(['example.com/hold']);
    await plane.advance('10s');
    expect((await objects.get('a')).status).toMatchObject({ phase: 'Done', conditions: [{ reason: 'Copied' }] });
    const events = (await plane.client.of(Event).inNamespace(name).list()).items;
    expect(events.map(({ message }) => message)).toEqual(['a is copied']);
    await plane.advance('1m');
    expect(await objects.find('a')).toBeUndefined();
    expect((await objects.get('other')).status).toBeUndefined();
  });

  it('stages can be objects of the plane, and go when those go', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages();
    await plane.apply(backups(plane));
    const made = {
      apiVersion: 'testing.platform.io/v1alpha1',
      kind: 'Stage',
      metadata: { name: 'backup-runs' },
      spec: {
        resource: { apiVersion: 'example.com/v1', kind: 'Backup' },
        when: { absent: ['status.phase'] },
        delay: { from: '5s' },
        next: { status: { phase: 'Running' } },
      },
    };
    await plane.apply(made);
    const objects = plane.client.of<Backup>({ apiVersion: 'example.com/v1', kind: 'Backup' }).inNamespace('default');
    await objects.create({ metadata: { name: 'a' } });
    await plane.advance('5s');
    expect((await objects.get('a')).status?.phase).toBe('Running');
    await plane.client.of({ apiVersion: made.apiVersion, kind: 'Stage' }).delete('backup-runs');
    await objects.create({ metadata: { name: 'b' } });
    await plane.advance('1m');
    expect((await objects.get('b')).status).toBeUndefined();
  });

  it('a pod that no node has room for waits until another goes', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages({ nodes: 1, node: { capacity: { pods: '1' } } });
    const pods = podsOf(plane, (await plane.namespace()).name);
    await pods.create({ metadata: { name: 'first' }, spec: { containers: [CONTAINER] } });
    await plane.advance('1s');
    await pods.create({ metadata: { name: 'second' }, spec: { containers: [CONTAINER] } });
    await plane.advance('1m');
    const waiting = await pods.get('second');
    expect(waiting.spec.nodeName).toBeFalsy();
    expect(waiting.status.conditions).toMatchObject([{ type: 'PodScheduled', reason: 'Unschedulable' }]);
    await pods.delete('first');
    await plane.advance('1s');
    expect(await pods.get('second')).toMatchObject({ spec: { nodeName: 'node-0' }, status: { phase: 'Running' } });
  });

  it('a claim gets a volume, and both are bound', async () => {
    const plane = await start({ clock: 'manual' });
    await plane.stages();
    const claims = plane.client.of(PersistentVolumeClaim).inNamespace('default');
    const resources = { requests: { storage: '3Gi' } };
    await claims.create({ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources } });
    await plane.advance('1s');
    const claim = await claims.get('data');
    expect(claim.status).toMatchObject({ phase: 'Bound', capacity: { storage: '3Gi' } });
    const volume = await plane.client.of(PersistentVolume).get(claim.spec.volumeName ?? '');
    expect(volume).toMatchObject({ spec: { claimRef: { name: 'data' } }, status: { phase: 'Bound' } });
  });
});

const GOES = { finalizers: { remove: ['example.com/hold'] }, delete: true } as const;

interface Backup extends AnyObject {
  readonly status?: { readonly phase?: string };
}

const backups = (plane: TestPlane) => ({
  apiVersion: `${plane.client.vocabulary.groups.apiextensions}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'backups.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'backups', singular: 'backup', kind: 'Backup', listKind: 'BackupList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              status: {
                type: 'object',
                [plane.client.vocabulary.openapiExtensions.preserveUnknownFields]: true,
              },
            },
          },
        },
      },
    ],
  },
});

describe('scripts', () => {
  it('tell what a pod has written, and what commands in it do', async () => {
    const plane = await start();
    const stages = await plane.stages({ nodes: 1 });
    const pods = podsOf(plane, (await plane.namespace('app')).name);
    const pod = await pods.create({ metadata: { name: 'web' }, spec: { containers: [CONTAINER] } });
    await insist(async () => expect((await pods.get('web')).status.phase).toBe('Running'));
    stages.logs(pod, ['one', 'two']);
    stages.onExec(pod, ([word = ''], stdin) => ({ stdout: `${word} ${stdin}`, stderr: 'odd', code: 3 }));
    expect(await textOf(await pods.logs('web'))).toBe('one\ntwo\n');
    expect(await textOf(await pods.logs('web', { tailLines: 1 }))).toBe('two\n');
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const exit = pods.exec('web', ['echo'], { stdin, stdout, stderr });
    stdin.end('hello');
    expect(await exit).toEqual({ code: 3 });
    expect([stdout.read()?.toString(), stderr.read()?.toString()]).toEqual(['echo hello', 'odd']);
  });
});

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part.toString();
  return text;
}
