import { describe, expect, it } from 'vitest';
import { actionTable } from '../../handlers/actions/action.ts';
import { type Connector, connectorTable } from '../../handlers/connect/connector.ts';
import { contextFor } from '../../handlers/test-context.ts';
import type { Reply } from '../../http/message.ts';
import { builtInCatalogue } from '../../kinds/built-in.ts';
import { ConfigMap } from '../../kinds/core/config/config-map.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import { kindsOf } from '../../registry/kind.ts';
import { type ApiObject, type ResourceType, resourceType } from '../../registry/resource-type.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { string } from '../../schema/scalars.ts';
import { f, kind } from '../../schema/schema.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { openapiHandler } from './openapi.ts';

const v = vocabularies.platform;

/** As much of a document as tests look at. */
interface Json {
  [key: string]: Json;
}

const Lion = kind('zoo.example/v1.Lion', { metadata: f(1, ObjectMeta), roar: f(2, string()) });

const lions = (): ResourceType =>
  resourceType<ApiObject>({
    group: 'zoo.example',
    version: 'v1',
    kind: 'Lion',
    plural: 'lions',
    namespaced: true,
    nameRule: () => undefined,
    schema: Lion,
  });

/** A subresource that answers text, one that is posted to, and one that leads elsewhere. */
const machines = (): ResourceType =>
  resourceType<ApiObject>({
    group: 'zoo.example',
    version: 'v1',
    kind: 'Machine',
    plural: 'machines',
    namespaced: false,
    nameRule: () => undefined,
    schema: ConfigMap,
    verbs: ['get', 'delete'],
    strategy: { deleteReturnsObject: true },
    subresources: {
      log: { verbs: ['get'] },
      exec: { verbs: ['create', 'get'], kind: 'ExecOptions' },
      drive: { verbs: ['get'], kind: 'ExecOptions' },
      reboot: { verbs: ['create'], kind: 'Lion' },
    },
  });

const reboot = {
  group: 'zoo.example',
  plural: 'machines',
  subresource: 'reboot',
  accepts: [{ group: 'zoo.example', version: 'v1', kind: 'Lion', schema: Lion }],
  run: () => Promise.reject(new Error('not called')),
};

const connecting = {
  ...{ group: 'zoo.example', plural: 'machines' },
  options: { version: 'v1', kind: 'ExecOptions', schema: kind('zoo.example/v1.ExecOptions', { word: f(1, string()) }) },
  connect: () => Promise.reject(new Error('not called')),
};
const exec: Connector = { ...connecting, subresource: 'exec' };
const drive: Connector = { ...connecting, subresource: 'drive', takesPath: true };

const builtIn = (): Catalogue => builtInCatalogue(v);

function server(catalogue = builtIn()) {
  const runtime = { ...systemRuntime, now: () => Date.UTC(2030, 0, 1) };
  const handler = openapiHandler({
    ...{ catalogue, vocabulary: v, runtime },
    actions: actionTable([reboot]),
    connectors: connectorTable([exec, drive]),
  });
  const ask = async (target: string, { method = 'GET', ...headers }: Record<string, string> = {}) => {
    const reply = await handler(contextFor(method, target, headers));
    return reply && { ...reply, header: headerOf(reply) };
  };
  const json = async (target: string): Promise<Json> => JSON.parse(String((await ask(target))?.body));
  return { ask, json };
}

const headerOf =
  ({ headers }: Reply) =>
  (name: string) =>
    headers[headers.indexOf(name) + 1] ?? '';

/** Every `$ref` below a value. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

const resolves = (document: Json, reference: string): boolean =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<Json | undefined>((at, step) => at?.[step], document) !== undefined;

const operationsOf = (document: Json): [string, string, Json][] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]): [string, string, Json] => [path, method, operation]),
  );

const idsOf = (document: Json): unknown[] => operationsOf(document).map(([, , { operationId }]) => operationId);

describe('the document of everything', async () => {
  const { ask, json } = server();
  const document = await json('/openapi/v2');
  const operation = (method: string, path: string): Json => document.paths?.[path]?.[method] ?? {};

  it('refers to nothing that is not in it, and contains nothing that nothing refers to', () => {
    const all = new Set(references(document));
    expect(all.size).toBeGreaterThan(400);
    expect([...all].filter((reference) => !resolves(document, reference))).toEqual([]);
    const unused = Object.keys(document.definitions ?? {}).filter((name) => !all.has(`#/definitions/${name}`));
    expect(unused).toEqual([]);
  });

  it('gives every operation a name of its own', () => {
    const ids = idsOf(document);
    expect(ids.length).toBeGreaterThan(400);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['get', '/api/v1/pods', 'listCoreV1PodForAllNamespaces', 'list'],
    ['get', '/api/v1/namespaces/{namespace}/pods', 'listCoreV1NamespacedPod', 'list'],
    ['delete', '/api/v1/namespaces/{namespace}/pods', 'deleteCoreV1CollectionNamespacedPod', 'deletecollection'],
    ['put', '/api/v1/namespaces/{namespace}/pods/{name}', 'replaceCoreV1NamespacedPod', 'put'],
    ['get', '/api/v1/nodes/{name}', 'readCoreV1Node', 'get'],
    ['patch', '/api/v1/nodes/{name}/status', 'patchCoreV1NodeStatus', 'patch'],
    ['put', '/api/v1/namespaces/{name}/finalize', 'replaceCoreV1NamespaceFinalize', 'put'],
    ['get', '/api/v1/watch/pods', 'watchCoreV1PodListForAllNamespaces', 'watchlist'],
    ['get', '/api/v1/watch/namespaces/{namespace}/pods', 'watchCoreV1NamespacedPodList', 'watchlist'],
    ['get', '/api/v1/watch/namespaces/{namespace}/pods/{name}', 'watchCoreV1NamespacedPod', 'watch'],
    ['post', '/apis/apps/v1/namespaces/{namespace}/deployments', 'createAppsV1NamespacedDeployment', 'post'],
    [
      'delete',
      '/apis/rbac.authorization.platform.io/v1/clusterroles/{name}',
      'deleteRbacAuthorizationV1ClusterRole',
      'delete',
    ],
    ['get', '/apis/apps/v1/', 'getAppsV1APIResources', undefined],
    ['get', '/apis/apps/', 'getAppsAPIGroup', undefined],
    ['get', '/version/', 'getCodeVersion', undefined],
  ])('calls %s %s %s', (method, path, id, action) => {
    expect(operation(method, path).operationId).toBe(id);
    expect(operation(method, path)['x-platform-action']).toBe(action);
  });

  it('says of an operation what it takes, what it answers and what it is about', () => {
    const path = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';
    const schema = { $ref: '#/definitions/io.platform.api.apps.v1.Deployment' };
    const dryRun = { name: 'dryRun', in: 'query', type: 'string', description: expect.any(String) };
    expect(operation('put', path)).toEqual({
      description: 'Replace a Deployment.',
      operationId: 'replaceAppsV1NamespacedDeployment',
      tags: ['apps_v1'],
      'x-platform-action': 'put',
      'x-platform-group-version-kind': { group: 'apps', kind: 'Deployment', version: 'v1' },
      schemes: ['https'],
      consumes: ['*/*'],
      produces: ['application/json', 'application/yaml', 'application/vnd.platform.protobuf'],
      parameters: [
        { name: 'body', in: 'body', required: true, schema },
        dryRun,
        { $ref: '#/parameters/fieldManager' },
        { ...dryRun, name: 'fieldValidation' },
      ],
      responses: {
        200: { description: 'OK', schema },
        201: { description: 'Created', schema },
        401: { description: 'Unauthorized' },
      },
    });
    expect(document.paths?.[path]?.parameters).toEqual([
      { $ref: '#/parameters/name' },
      { $ref: '#/parameters/namespace' },
      { $ref: '#/parameters/pretty' },
    ]);
    expect(document.parameters?.namespace).toMatchObject({ in: 'path', type: 'string', required: true });
    expect(operation('patch', path).consumes).toContain('application/apply-patch+yaml');
    expect(operation('delete', path).responses).toHaveProperty(
      '200.schema.$ref',
      '#/definitions/io.platform.apimachinery.pkg.apis.meta.v1.Status',
    );
  });

  it('publishes no query option that a query cannot hold', () => {
    expect(Object.keys(document.parameters ?? {})).toEqual([
      'allowWatchBookmarks',
      'continue',
      'fieldManager',
      'fieldSelector',
      'force',
      'gracePeriodSeconds',
      'labelSelector',
      'limit',
      'name',
      'namespace',
      'orphanDependents',
      'pretty',
      'propagationPolicy',
      'resourceVersion',
      'resourceVersionMatch',
      'timeoutSeconds',
      'watch',
    ]);
  });

  it('says under which kinds objects travel', () => {
    const kindsOf = (name: string) => document.definitions?.[name]?.['x-platform-group-version-kind'];
    expect(kindsOf('io.platform.api.core.v1.PodList')).toEqual([{ group: '', kind: 'PodList', version: 'v1' }]);
    const everywhere = kindsOf('io.platform.apimachinery.pkg.apis.meta.v1.DeleteOptions');
    expect(everywhere).toContainEqual({ group: 'apps', kind: 'DeleteOptions', version: 'v1' });
    expect(everywhere).toContainEqual({ group: '', kind: 'DeleteOptions', version: 'v1' });
    expect(kindsOf('io.platform.api.core.v1.PodSpec')).toBeUndefined();
  });

  it('is sent in the form the client asks for', async () => {
    const binary = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const typeFor = async (accept: string) => (await ask('/openapi/v2', { accept }))?.header('Content-Type');
    expect(await typeFor('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')).toBe(binary);
    expect(await typeFor(`${binary},application/json`)).toBe(binary);
    expect(await typeFor(`application/json,${binary}`)).toBe('application/json');
    expect(await typeFor('*/*')).toBe('application/json');
    await expect(ask('/openapi/v2', { accept: 'text/html' })).rejects.toMatchObject({ code: 406 });
  });

  it('is sent once to a client that keeps it, and can be read only', async () => {
    const tag = (await ask('/openapi/v2'))?.header('ETag') ?? '';
    expect((await ask('/openapi/v2', { 'if-none-match': tag }))?.status).toBe(304);
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    expect((await ask('/openapi/v2', { accept, 'if-none-match': tag }))?.status).toBe(200);
    await expect(ask('/openapi/v2', { method: 'POST' })).rejects.toMatchObject({ code: 405 });
  });
});

describe('the documents of parts', async () => {
  const { ask, json } = server();
  const { paths: addresses = {} } = await json('/openapi/v3');
  const addressOf = (part: string): string => String(addresses[part]?.serverRelativeURL);

  it('have addresses that the index gives', async () => {
    expect(Object.keys(addresses)).toEqual(expect.arrayContaining(['version', 'api', 'apis', 'api/v1', 'apis/apps']));
    expect(addressOf('apis/apps/v1')).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9a-f]{64}$/);
    const document = await json(addressOf('apis/apps/v1'));
    expect(document.openapi).toBe('3.0.0');
    expect(document.components?.schemas).toHaveProperty(['io.platform.api.apps.v1.Deployment', 'type'], 'object');
  });

  it('refer to nothing outside themselves', async () => {
    for (const part of Object.keys(addresses)) {
      const document = await json(addressOf(part));
      const missing = references(document).filter((reference) => !resolves(document, reference));
      expect([part, missing]).toEqual([part, []]);
    }
  });

  it('are together the document of everything', async () => {
    const whole = await json('/openapi/v2');
    const parts = await Promise.all(Object.keys(addresses).map((part) => json(addressOf(part))));
    expect(parts.flatMap(idsOf).sort()).toEqual(idsOf(whole).sort());
    const names = new Set(parts.flatMap(({ components }) => Object.keys(components?.schemas ?? {})));
    expect([...names].sort()).toEqual(Object.keys(whole.definitions ?? {}).sort());
  });

  it('may be kept for long by who names them by their hash', async () => {
    const reply = await ask(addressOf('api/v1'));
    expect(reply?.header('Cache-Control')).toBe('public, immutable');
    expect(reply?.header('Expires')).toBe('Wed, 01 Jan 2031 00:00:00 GMT');
    expect((await ask('/openapi/v3/api/v1'))?.header('Cache-Control')).toBe('no-cache, private');
    const tag = reply?.header('ETag') ?? '';
    expect((await ask('/openapi/v3/api/v1', { 'if-none-match': tag }))?.status).toBe(304);
  });

  it('are found by who names an older one', async () => {
    const reply = await ask('/openapi/v3/api/v1?hash=0123');
    expect([reply?.status, reply?.header('Location')]).toEqual([301, addressOf('api/v1')]);
  });

  it('are nowhere else, can be read only, and only as JSON', async () => {
    expect(await ask('/openapi/v3/apis/nothing/v1')).toBeUndefined();
    expect(await ask('/openapi/v1')).toBeUndefined();
    await expect(ask('/openapi/v3/api/v1', { method: 'PUT' })).rejects.toMatchObject({ code: 405 });
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    await expect(ask('/openapi/v3/api/v1', { accept })).rejects.toMatchObject({ code: 406 });
    await expect(ask('/openapi/v3', { accept })).rejects.toMatchObject({ code: 406 });
  });
});

describe('a change of the catalogue', () => {
  it('changes the documents it concerns and no others', async () => {
    const catalogue = builtIn();
    const { json } = server(catalogue);
    const before = (await json('/openapi/v3')).paths;
    expect((await json('/openapi/v2')).definitions).not.toHaveProperty(['example.zoo.v1.Lion']);

    catalogue.add(...kindsOf([lions()]));
    const {
      'apis/zoo.example': group,
      'apis/zoo.example/v1': added,
      ...others
    } = (await json('/openapi/v3')).paths ?? {};
    expect([group, added]).toEqual([expect.anything(), expect.anything()]);
    expect(others).toEqual(before);
    expect((await json('/openapi/v2')).definitions?.['example.zoo.v1.Lion']).toMatchObject({
      properties: { roar: { type: 'string' } },
      'x-platform-group-version-kind': [{ group: 'zoo.example', kind: 'Lion', version: 'v1' }],
    });

    catalogue.add(...kindsOf([machines()]));
    expect((await json('/openapi/v3')).paths?.['apis/zoo.example/v1']).not.toEqual(added);
    catalogue.remove(machines());
    catalogue.remove(lions());
    expect((await json('/openapi/v3')).paths).toEqual(before);
  });
});

describe('subresources', () => {
  it('are described by what they take and give', async () => {
    const catalogue = builtIn();
    catalogue.add(...kindsOf([lions(), machines()]));
    const { paths = {} } = await server(catalogue).json('/openapi/v2');
    const below = (name: string) => paths[`/apis/zoo.example/v1/machines/{name}/${name}`] ?? {};
    expect(below('log').get).toMatchObject({
      operationId: 'readZooExampleV1MachineLog',
      produces: expect.arrayContaining(['text/plain']),
      responses: { 200: { schema: { type: 'string' } } },
    });
    expect(below('exec').get).toMatchObject({
      operationId: 'connectZooExampleV1GetMachineExec',
      'x-platform-action': 'connect',
      'x-platform-group-version-kind': { kind: 'ExecOptions' },
      parameters: [{ $ref: '#/parameters/word' }],
    });
    expect(Object.keys(below('drive')).sort()).toEqual(['get', 'head', 'options', 'parameters']);
    expect(below('drive/{path}').head?.operationId).toBe('connectZooExampleV1HeadMachineDriveWithPath');
    expect(below('drive/{path}').parameters).toContainEqual(expect.objectContaining({ name: 'path', in: 'path' }));
    expect(below('exec').post?.operationId).toBe('connectZooExampleV1PostMachineExec');
    const schema = { $ref: '#/definitions/example.zoo.v1.Lion' };
    expect(below('reboot').post).toMatchObject({
      operationId: 'createZooExampleV1MachineReboot',
      parameters: expect.arrayContaining([{ name: 'body', in: 'body', required: true, schema }]),
      responses: { 201: { schema } },
    });
  });

  it('leave out what a resource cannot do', async () => {
    const catalogue = builtIn();
    catalogue.add(...kindsOf([machines()]));
    const { paths = {} } = await server(catalogue).json('/openapi/v2');
    expect(paths).not.toHaveProperty(['/apis/zoo.example/v1/machines']);
    expect(paths).not.toHaveProperty(['/apis/zoo.example/v1/watch/machines']);
    expect(Object.keys(paths['/apis/zoo.example/v1/machines/{name}'] ?? {}).sort()).toEqual([
      'delete',
      'get',
      'parameters',
    ]);
  });
});
