import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
let directory: string;

const PLUGINS = [
  {
    name: 'PodNodeSelector',
    configuration: {
      podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'pool=shared', strict: 'pool=strict,a=b' },
    },
  },
  {
    name: 'PodTolerationRestriction',
    configuration: {
      apiVersion: 'podtolerationrestriction.admission.platform.io/v1alpha1',
      kind: 'Configuration',
      default: [{ key: 'usual', operator: 'Exists' }],
    },
  },
];

async function configured(plugins: readonly object[]): Promise<string> {
  const file = join(directory, 'admission.json');
  const document = { apiVersion: 'apiserver.config.platform.io/v1', kind: 'AdmissionConfiguration', plugins };
  await writeFile(file, JSON.stringify(document));
  return file;
}

beforeAll(async () => {
  directory = await makeDirectory();
  plane = await startTestServer({
    admissionControlConfigFile: await configured(PLUGINS),
    enableAdmissionPlugins: [
      'AlwaysAdmit',
      'AlwaysPullImages',
      'ExtendedResourceToleration',
      'LimitPodHardAntiAffinityTopology',
      'NamespaceAutoProvision',
      'NamespaceExists',
      'PodNodeSelector',
      'PodTolerationRestriction',
      'SecurityContextDeny',
    ],
    disableAdmissionPlugins: ['NamespaceLifecycle', 'DefaultTolerationSeconds', 'ServiceAccount'],
  });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

let count = 0;

async function newNamespace(annotations: object = {}, name = `optional-${count++}`): Promise<string> {
  await demand(201, 'POST', '/api/v1/namespaces', { metadata: { name, annotations } });
  return name;
}

async function demand(code: number, ...asked: Parameters<TestServer['admin']['request']>): Promise<Answer['body']> {
  const { status, body, text } = await plane.admin.request(...asked);
  expect(status, text).toBe(code);
  return body;
}

const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const container = { name: 'main', image: 'example/main:1' };
const pod = (spec: object = {}, name = 'p') => ({ metadata: { name }, spec: { containers: [container], ...spec } });

const specOf = async (namespace: string, spec: object = {}): Promise<Answer['body']['spec']> =>
  (await demand(201, 'POST', podsOf(namespace), pod(spec, `p${count++}`))).spec;

const refusalOf = async (namespace: string, spec: object): Promise<string> =>
  (await demand(403, 'POST', podsOf(namespace), pod(spec))).message;

it('images are pulled anew every time, also those that a pod gets later', async () => {
  const namespace = await newNamespace();
  const containers = [{ ...container, imagePullPolicy: 'IfNotPresent' }];
  const spec = { containers, initContainers: [{ name: 'first', image: 'example/init:1' }] };
  const created = await demand(201, 'POST', podsOf(namespace), pod(spec));
  const pulled = [{ imagePullPolicy: 'Always' }];
  expect(created.spec).toMatchObject({ containers: pulled, initContainers: pulled });
  const path = `${podsOf(namespace)}/p`;
  await demand(200, 'PATCH', path, { metadata: { labels: { a: 'b' } } });
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  const change = { spec: { containers: [{ name: 'main', image: 'example/main:2' }] } };
  expect((await demand(200, 'PATCH', path, change, type)).spec).toMatchObject({ containers: pulled });
});

it('pods that ask for a special resource tolerate the nodes that are kept for it', async () => {
  const resources = { requests: { 'example.com/gpu': '1', cpu: '1' }, limits: { 'example.com/gpu': '1' } };
  const { tolerations } = await specOf(await newNamespace(), { containers: [{ ...container, resources }] });
  expect(tolerations).toContainEqual({ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
  expect(tolerations).not.toContainEqual(expect.objectContaining({ key: 'cpu' }));
});

it('pods may insist on a node of their own, but not on a zone', async () => {
  const namespace = await newNamespace();
  const alone = (topologyKey: string) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });
  await specOf(namespace, alone('platform.io/hostname'));
  expect(await refusalOf(namespace, alone('topology.platform.io/zone'))).toBe(
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.platform.io/zone but only key platform.io/hostname is allowed',
  );
});

it.each([
  ['its user', { securityContext: { runAsUser: 0 } }, 'pod.Spec.SecurityContext.RunAsUser is forbidden'],
  ['its groups', { securityContext: { supplementalGroups: [1] } }, 'pod.Spec.SecurityContext.SupplementalGroups'],
  ['the group of its files', { securityContext: { fsGroup: 1 } }, 'pod.Spec.SecurityContext.FSGroup is forbidden'],
  [
    'the user of a container',
    { containers: [{ ...container, securityContext: { runAsUser: 1 } }] },
    'SecurityContext.RunAsUser is forbidden',
  ],
])('a pod does not choose %s', async (_what, spec, why) => {
  expect(await refusalOf(await newNamespace(), spec)).toContain(why);
});

describe('the nodes that pods select', () => {
  it('are those of their namespace, else those for all', async () => {
    expect((await specOf(await newNamespace())).nodeSelector).toEqual({ pool: 'shared' });
    const own = await newNamespace({ 'scheduler.alpha.platform.io/node-selector': 'pool=own, x=' });
    expect((await specOf(own, { nodeSelector: { disk: 'fast' } })).nodeSelector).toEqual({
      pool: 'own',
      x: '',
      disk: 'fast',
    });
    expect(await refusalOf(own, { nodeSelector: { pool: 'shared' } })).toContain(
      'pod node label selector conflicts with its namespace node label selector',
    );
  });

  it('are no others than the configuration allows for the namespace', async () => {
    await newNamespace({ 'scheduler.alpha.platform.io/node-selector': 'pool=strict' }, 'strict');
    expect((await specOf('strict', { nodeSelector: { a: 'b' } })).nodeSelector).toEqual({ pool: 'strict', a: 'b' });
    expect(await refusalOf('strict', { nodeSelector: { a: 'c' } })).toContain('conflict with its namespace whitelist');
  });

  it('cannot be found out where the annotation makes no sense', async () => {
    const odd = await newNamespace({ 'scheduler.alpha.platform.io/node-selector': 'a=b=c' });
    await demand(500, 'POST', podsOf(odd), pod());
  });
});

describe('what pods tolerate', () => {
  const usual = { key: 'usual', operator: 'Exists' };
  const annotation = (name: string, ...tolerations: object[]) => ({
    [`scheduler.alpha.platform.io/${name}`]: JSON.stringify(tolerations),
  });

  it('is what is usual in their namespace, else what is for all', async () => {
    expect((await specOf(await newNamespace())).tolerations).toEqual([usual]);
    const own = { key: 'own', operator: 'Equal', value: 'x', effect: 'NoSchedule' };
    const namespace = await newNamespace(annotation('defaultTolerations', own));
    expect((await specOf(namespace)).tolerations).toEqual([own]);
    const wide = { key: 'own', operator: 'Exists' };
    expect((await specOf(namespace, { tolerations: [wide] })).tolerations).toEqual([wide]);
  });

  it('includes a lack of memory for those who were promised some', async () => {
    const resources = { requests: { memory: '1Mi' } };
    const { tolerations } = await specOf(await newNamespace(), { containers: [{ ...container, resources }] });
    const promised = { key: 'node.platform.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
    expect(tolerations).toEqual([usual, promised]);
  });

  it('is no more than the namespace allows', async () => {
    const allowed = [usual, { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }];
    const namespace = await newNamespace(annotation('tolerationsWhitelist', ...allowed));
    const brief = { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 60 };
    await specOf(namespace, { tolerations: [brief] });
    const why = 'conflict with its namespace whitelist';
    expect(await refusalOf(namespace, { tolerations: [{ ...brief, tolerationSeconds: 61 }] })).toContain(why);
    expect(await refusalOf(namespace, { tolerations: [{ operator: 'Exists' }] })).toContain(why);
  });
});

it('a namespace that something is created in is made, but not for what is only tried', async () => {
  const maps = '/api/v1/namespaces/out-of-nothing/configmaps';
  const tried = await demand(404, 'POST', `${maps}?dryRun=All`, { metadata: { name: 'm' } });
  expect(tried.message).toBe('namespaces "out-of-nothing" not found');
  const made = [0, 1, 2, 3].map((at) => demand(201, 'POST', maps, { metadata: { name: `m${at}` } }));
  await Promise.all(made);
  await demand(200, 'GET', '/api/v1/namespaces/out-of-nothing');
});

it('a server that denies everything starts, and is read', async () => {
  const closed = await startTestServer({ enableAdmissionPlugins: ['AlwaysDeny'] });
  onTestFinished(() => closed.close());
  const { status, body } = await closed.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  expect([status, body.message]).toEqual([
    403,
    'namespaces "n" is forbidden: admission control is denying all modifications',
  ]);
  expect((await closed.admin.request('DELETE', '/api/v1/namespaces/default')).status).toBe(403);
  expect((await closed.admin.request('GET', '/api/v1/namespaces/default')).status).toBe(200);
});

it.each([
  ['PodNodeSelector', { podNodeSelectorPluginConfig: { ns: 'a' } }, 'podNodeSelectorPluginConfig.ns must be'],
  ['PodTolerationRestriction', { kind: 'Odd' }, 'a Configuration of podtolerationrestriction.admission.platform.io'],
])('%s does not start with a configuration that makes no sense', async (name, configuration, why) => {
  const admissionControlConfigFile = await configured([{ name, configuration }]);
  await expect(startTestServer({ admissionControlConfigFile, enableAdmissionPlugins: [name] })).rejects.toThrow(why);
});
