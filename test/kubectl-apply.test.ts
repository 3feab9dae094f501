import { chmod, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeKubectl, Kubectl, type Run } from './support/kubectl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let directory: string;
let plane: TestServer;
let kubectl: Kubectl;

interface Sent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Applies a manifest, in whatever way the flags say. */
async function apply(manifest: Sent, ...flags: string[]): Promise<Run> {
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
  return kubectl.run(['apply', '-f', 'manifest.json', ...flags]);
}

const applied = (what: string, how: string) => ({ code: 0, stdout: `${what} ${how}\n`, stderr: '' });

/** What a JSON path of an object says. */
const read = (what: string, path: string): Promise<string> => kubectl.succeed('get', what, '-o', `jsonpath={${path}}`);

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
}

/** `manager Operation` of everyone who owns a part of an object. */
async function ownersOf(what: string): Promise<string[]> {
  // Newer releases leave owners out of JSON, unless they are asked for by name.
  const entries: Entry[] = JSON.parse(await read(what, '.metadata.managedFields'));
  return entries
    .map(({ manager, operation, subresource }) => [manager, operation, subresource].filter(Boolean).join(' '))
    .sort();
}

const IMAGE_OF = (name: string) => `.spec.template.spec.containers[?(@.name=="${name}")].image`;

const deployment = (
  name: string,
  spec: object = {},
  containers: readonly object[] = [{ name: 'main', image: 'm:1' }],
) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
    ...spec,
  },
});

const service = (name: string, ports: readonly object[], selector: object = { app: name }) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector, ports },
});

const configMap = (name: string, data: object, labels?: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels ? { labels } : {}) },
  data,
});

describeKubectl('kubectl apply', (program) => {
  beforeAll(async () => {
    directory = await makeDirectory();
    plane = await startTestServer({ vocabulary: 'kubernetes' });
    await writeFile(join(directory, 'admin.conf'), plane.server.adminConfig);
    await writeFile(join(directory, 'edit.sh'), '#!/bin/sh\nsed -i "s#m:[0-9]*#m:42#" "$1"\n');
    await chmod(join(directory, 'edit.sh'), 0o755);
    kubectl = new Kubectl(program, directory, join(directory, 'admin.conf'), { EDITOR: join(directory, 'edit.sh') });
  });

  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  describe('on the side of the server', () => {
    it('creates, changes, and leaves alone what is the same', async () => {
      const what = 'deployment.apps/shared';
      expect(await apply(deployment('shared', { replicas: 2 }), '--server-side')).toEqual(
        applied(what, 'serverside-applied'),
      );
      const version = await read(what, '.metadata.resourceVersion');
      await apply(deployment('shared', { replicas: 2 }), '--server-side');
      expect(await read(what, '.metadata.resourceVersion')).toBe(version);
      await apply(deployment('shared', { replicas: 3 }), '--server-side');
      expect(await read(what, '.spec.replicas')).toBe('3');
      expect(await ownersOf(what)).toEqual(['kubectl Apply']);
    });

    it('tells of conflicts as usual, and goes over them when forced', async () => {
      const what = 'deployment.apps/disputed';
      const containers = [
        { name: 'main', image: 'm:1' },
        { name: 'side', image: 's:1' },
      ];
      await apply(deployment('disputed', { replicas: 2 }, containers), '--server-side');
      await kubectl.succeed('set', 'image', what, 'main=m:2', 'side=s:2');
      const refused = await apply(deployment('disputed', { replicas: 2 }, containers), '--server-side');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        'error: Apply failed with 2 conflicts: conflicts with "kubectl-set" using apps/v1:\n',
      );
      expect(refused.stderr).toContain('- .spec.template.spec.containers[name="main"].image\n');
      expect(refused.stderr).toContain('- .spec.template.spec.containers[name="side"].image\n');
      expect(refused.stderr).toContain('--force-conflicts');
      expect(await read(what, IMAGE_OF('side'))).toBe('s:2');
      const forced = await apply(
        deployment('disputed', { replicas: 2 }, containers),
        '--server-side',
        '--force-conflicts',
      );
      expect(forced).toEqual(applied(what, 'serverside-applied'));
      expect(await read(what, IMAGE_OF('side'))).toBe('s:1');
      expect(await ownersOf(what)).toEqual(['kubectl Apply']);
    });

    it('tells a conflict with whoever scaled', async () => {
      const what = 'deployment.apps/scaled';
      // Where kubectl does not say who it is, its file's name is taken.
      const scaler = basename(program.path);
      await apply(deployment('scaled', { replicas: 2 }), '--server-side');
      await kubectl.succeed('scale', what, '--replicas=5');
      expect(await ownersOf(what)).toEqual(['kubectl Apply', `${scaler} Update scale`]);
      const refused = await apply(deployment('scaled', { replicas: 2 }), '--server-side');
      expect(refused.stderr).toContain(
        `conflict with "${scaler}" with subresource "scale" using apps/v1: .spec.replicas\n`,
      );
      expect(await apply(deployment('scaled'), '--server-side')).toEqual(applied(what, 'serverside-applied'));
      expect(await read(what, '.spec.replicas')).toBe('5');
    });

    it('lets several managers share an object, and takes away what one leaves out', async () => {
      const what = 'configmap/parts';
      await apply(configMap('parts', { a: '1', b: '1' }), '--server-side', '--field-manager=one');
      await apply(configMap('parts', { b: '1', c: '1' }), '--server-side', '--field-manager=two');
      const less = await apply(configMap('parts', {}), '--server-side', '--field-manager=one');
      expect(less).toEqual(applied(what, 'serverside-applied'));
      expect(JSON.parse(await read(what, '.data'))).toEqual({ b: '1', c: '1' });
      expect(await ownersOf(what)).toEqual(['one Apply', 'two Apply']);
    });

    it('tries without writing', async () => {
      const run = await apply(configMap('tried', { a: '1' }), '--server-side', '--dry-run=server');
      expect(run).toEqual(applied('configmap/tried', 'serverside-applied (server dry run)'));
      expect((await kubectl.run(['get', 'configmap/tried'])).code).toBe(1);
    });

    it('takes over what was applied from the side of the client', async () => {
      const what = 'configmap/moved';
      await apply(configMap('moved', { a: '1', b: '1' }));
      await apply(configMap('moved', { a: '2', c: '1' }), '--server-side');
      expect(await read(what, '.data.a')).toBe('2');
      // What has been applied since is known to the client as well, so that it takes away what it leaves out.
      await apply(configMap('moved', { a: '3' }));
      expect([await read(what, '.data.a'), await read(what, '.data.c')]).toEqual(['3', '']);
    });

    it('is refused what others have changed since it was applied from the side of the client', async () => {
      await apply(configMap('edited', { a: '1', b: '1' }));
      await kubectl.succeed('patch', 'configmap/edited', '-p', '{"data":{"a":"9"}}');
      const refused = await apply(configMap('edited', { a: '2', b: '2' }), '--server-side');
      expect(refused.stderr).toContain('.data.a');
      expect(refused.stderr).not.toContain('.data.b');
      await apply(configMap('edited', { a: '2', b: '2' }), '--server-side', '--force-conflicts');
      expect(await read('configmap/edited', '.data.a')).toBe('2');
    });
  });

  describe('on the side of the client', () => {
    it('merges a deployment three ways', async () => {
      const what = 'deployment.apps/merged';
      const containers = (...names: string[]) =>
        names.map((name) => ({ name, image: `${name}:1`, env: [{ name: 'E', value: name }] }));
      expect(await apply(deployment('merged', { replicas: 2 }, containers('a', 'b')))).toEqual(
        applied(what, 'created'),
      );
      expect(await apply(deployment('merged', { replicas: 2 }, containers('a', 'b')))).toEqual(
        applied(what, 'unchanged'),
      );
      // Someone else adds a variable and scales: what the manifest does not say is left alone.
      await kubectl.succeed('set', 'env', what, '-c', 'b', 'F=other');
      await kubectl.succeed('scale', what, '--replicas=7');
      expect(await apply(deployment('merged', {}, containers('c', 'b')))).toEqual(applied(what, 'configured'));
      expect(await read(what, '.spec.template.spec.containers[*].name')).toBe('c b');
      expect(await read(what, '.spec.template.spec.containers[?(@.name=="b")].env[*].name')).toBe('E F');
      // It said replicas before and says nothing now: the default is back.
      expect(await read(what, '.spec.replicas')).toBe('1');
    });

    it('merges a service three ways, which keeps its address', async () => {
      const what = 'service/front';
      const [web, tls] = [
        { name: 'web', port: 80 },
        { name: 'tls', port: 443 },
      ];
      expect(await apply(service('front', [web, tls]))).toEqual(applied(what, 'created'));
      const address = await read(what, '.spec.clusterIP');
      expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(await apply(service('front', [web, tls]))).toEqual(applied(what, 'unchanged'));
      expect(await apply(service('front', [{ ...tls, targetPort: 8443 }]))).toEqual(applied(what, 'configured'));
      expect(await read(what, '.spec.ports[*].port')).toBe('443');
      expect(await read(what, '.spec.ports[0].targetPort')).toBe('8443');
      expect(await read(what, '.spec.clusterIP')).toBe(address);
    });

    it('merges a config map three ways', async () => {
      const what = 'configmap/merged';
      expect(await apply(configMap('merged', { a: '1', b: '1' }, { l: 'x' }))).toEqual(applied(what, 'created'));
      await kubectl.succeed('patch', what, '--type=merge', '-p', '{"data":{"c":"other"}}');
      expect(await apply(configMap('merged', { a: '2' }))).toEqual(applied(what, 'configured'));
      expect(JSON.parse(await read(what, '.data'))).toEqual({ a: '2', c: 'other' });
      expect(await read(what, '.metadata.labels')).toBe('');
      expect(await apply(configMap('merged', { a: '2' }))).toEqual(applied(what, 'unchanged'));
      expect(await ownersOf(what)).toEqual(['kubectl-client-side-apply Update', 'kubectl-patch Update']);
    });

    it('shows what it would change', async () => {
      await apply(configMap('shown', { a: '1' }));
      await writeFile(join(directory, 'shown.json'), JSON.stringify(configMap('shown', { a: '2' })));
      const { code, stdout } = await kubectl.run(['diff', '-f', 'shown.json']);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^-\s+a: "1"$/m);
      expect(stdout).toMatch(/^\+\s+a: "2"$/m);
    });
  });

  describe('beside other changes', () => {
    const what = 'deployment.apps/edited';

    beforeAll(async () => {
      await apply(
        deployment('edited', {}, [
          { name: 'main', image: 'm:1' },
          { name: 'side', image: 's:1' },
        ]),
      );
    });

    it('patches strategically, by merging, and step by step', async () => {
      const patch = async (type: string, body: unknown): Promise<string> =>
        kubectl.succeed('patch', what, `--type=${type}`, '-p', JSON.stringify(body));
      const image = { spec: { template: { spec: { containers: [{ name: 'side', image: 's:2' }] } } } };
      expect(await patch('strategic', image)).toBe(`${what} patched\n`);
      expect(await read(what, '.spec.template.spec.containers[*].image')).toBe('m:1 s:2');
      const version = await read(what, '.metadata.resourceVersion');
      expect(await patch('strategic', image)).toContain('(no change)');
      expect(await read(what, '.metadata.resourceVersion')).toBe(version);
      expect(await patch('merge', { metadata: { labels: { a: '1', b: '2' } } })).toBe(`${what} patched\n`);
      const steps = [
        { op: 'test', path: '/metadata/labels/a', value: '1' },
        { op: 'remove', path: '/metadata/labels/a' },
      ];
      expect(await patch('json', steps)).toBe(`${what} patched\n`);
      expect(JSON.parse(await read(what, '.metadata.labels'))).toEqual({ b: '2' });
      const failed = await kubectl.run(['patch', what, '--type=json', '-p', JSON.stringify(steps)]);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toContain('The request is invalid');
    });

    it('deletes from lists with directives', async () => {
      const containers = [{ name: 'side', $patch: 'delete' }];
      await kubectl.succeed('patch', what, '-p', JSON.stringify({ spec: { template: { spec: { containers } } } }));
      expect(await read(what, '.spec.template.spec.containers[*].name')).toBe('main');
    });

    it('annotates, labels, and sets images, variables and resources', async () => {
      await kubectl.succeed('annotate', what, 'note=x');
      expect(await read(what, '.metadata.annotations.note')).toBe('x');
      await kubectl.succeed('annotate', what, 'note-');
      await kubectl.succeed('label', what, 'tier=back');
      await kubectl.succeed('set', 'image', what, 'main=m:5');
      await kubectl.succeed('set', 'env', what, 'A=1');
      await kubectl.succeed('set', 'resources', what, '--limits=cpu=200m');
      const container = JSON.parse(await read(what, '.spec.template.spec.containers[0]'));
      expect(container).toMatchObject({
        image: 'm:5',
        env: [{ name: 'A', value: '1' }],
        resources: { limits: { cpu: '200m' } },
      });
      expect(await read(what, '.metadata.annotations.note')).toBe('');
      expect(await read(what, '.metadata.labels.tier')).toBe('back');
    });

    it('scales, on condition too', async () => {
      expect(await kubectl.succeed('scale', what, '--replicas=4')).toBe(`${what} scaled\n`);
      const refused = await kubectl.run(['scale', what, '--current-replicas=2', '--replicas=6']);
      expect(refused.code).toBe(1);
      expect(await read(what, '.spec.replicas')).toBe('4');
    });

    it('edits and patches services and config maps', async () => {
      const [front, settings] = ['service/changed', 'configmap/changed'];
      await kubectl.succeed('create', 'service', 'clusterip', 'changed', '--tcp=80');
      await kubectl.succeed('annotate', front, 'note=m:1');
      await kubectl.succeed('create', 'configmap', 'changed', '--from-literal=a=m:1', '--from-literal=b=x');
      expect(await kubectl.succeed('edit', front)).toBe(`${front} edited\n`);
      expect(await read(front, '.metadata.annotations.note')).toBe('m:42');
      expect(await kubectl.succeed('edit', settings)).toBe(`${settings} edited\n`);
      expect(JSON.parse(await read(settings, '.data'))).toEqual({ a: 'm:42', b: 'x' });
      await kubectl.succeed(
        'patch',
        front,
        '-p',
        '{"spec":{"ports":[{"port":443,"name":"tls"},{"port":80,"name":"web"}]}}',
      );
      expect(await read(front, '.spec.ports[*].name')).toBe('tls web');
      await kubectl.succeed('patch', settings, '--type=json', '-p', '[{"op":"remove","path":"/data/b"}]');
      expect(JSON.parse(await read(settings, '.data'))).toEqual({ a: 'm:42' });
    });

    it('edits, restarts and replaces', async () => {
      expect(await kubectl.succeed('edit', what)).toBe(`${what} edited\n`);
      expect(await read(what, IMAGE_OF('main'))).toBe('m:42');
      await kubectl.succeed('rollout', 'restart', what);
      const annotations = JSON.parse(await read(what, '.spec.template.metadata.annotations'));
      expect(Object.keys(annotations)).toContain('kubectl.kubernetes.io/restartedAt');
      await writeFile(join(directory, 'replaced.json'), JSON.stringify(deployment('edited', { replicas: 9 })));
      expect(await kubectl.succeed('replace', '-f', 'replaced.json')).toBe(`${what} replaced\n`);
      expect(await read(what, '.spec.replicas')).toBe('9');
    });
  });
});
