import { appendFile, readdir, readFile } from 'node:fs/promises';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPages, undocumented } from '../packaging/api/pages.mjs';
import { VERSION } from '../src/api/release.ts';
import { PackedProject } from './support/packed-project.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/** Uses what the package exports, by its types and for real. */
const CONSUMER = `
import { get } from 'node:https';
import { type Identity, type InjectRequest, type Server, type StartOptions, startServer } from 'platform-apiserver';

const options: StartOptions = { store: 'memory', port: 0, vocabulary: 'platform' };
const alice: Identity = { user: 'alice', groups: ['staff'] };
const request: InjectRequest = { method: 'GET', target: '/api/v1/namespaces/default', as: alice };

let closed: Server;
{
  await using server = await startServer(options);
  closed = server;
  const { status } = await server.inject(request);
  const admin = await server.inject({ ...request, as: 'admin' });
  const headers = { authorization: \`Bearer \${server.adminToken}\` };
  const ca = /certificate-authority-data: "(.*)"/.exec(server.adminConfig)?.[1] ?? '';
  const overHttps = await new Promise<number | undefined>((resolve, reject) => {
    get(server.url + request.target, { headers, ca: Buffer.from(ca, 'base64') }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    }).on('error', reject);
  });
  console.log(status, admin.status, overHttps);
}
await closed.inject(request).catch((error: Error) => console.log(error.message));
// @ts-expect-error There is no such option.
await startServer({ prot: 0 }).catch((error: Error) => console.log(error.message));
`;

/** Uses the other entry points, beside a server that is started through the first. */
const CLIENT_CONSUMER = `
import { startServer } from 'platform-apiserver';
import { ApiError, type ApplyOutcome, ConfigMap, connect, customKind, type Input, Pod, type WatchEvent } from 'platform-apiserver/client';
import { int32, jsonOnly, kind, ObjectMeta, struct } from 'platform-apiserver/schema';

const Size = struct('example.Size', { metres: jsonOnly(int32()) });
const Ship = customKind(
  { group: 'example.com', version: 'v1', plural: 'ships', kind: 'Ship', namespaced: true },
  kind('example.Ship', { metadata: jsonOnly(ObjectMeta), spec: jsonOnly(Size) }),
);

await using server = await startServer({ store: 'memory', port: 0 });
using client = await connect({ configText: server.adminConfig });
const maps = client.of(ConfigMap).inNamespace('default');
const written: Input<ConfigMap> = { metadata: { name: 'a' }, data: { key: 'value' } };
const outcome: ApplyOutcome<ConfigMap> = await maps.apply(written);
const value: string | undefined = outcome.applied?.data?.key;
const events: WatchEvent<ConfigMap>[] = [];
for await (const event of maps.watch({ fieldSelector: { 'metadata.name': 'a' } })) {
  events.push(event);
  break;
}
const phase = async (name: string): Promise<string | undefined> =>
  (await client.of(Pod).inNamespace().get(name)).status.phase;
const metres = async (name: string): Promise<number | undefined> =>
  (await client.of(Ship).inNamespace('fleet').get(name)).spec.metres;
const failure = await phase('none').catch((error: unknown) => (error instanceof ApiError ? error.reason : 'other'));
const unserved = await metres('none').catch((error: unknown) => (error instanceof ApiError ? error.code : 'other'));
console.log(value, events[0]?.type, failure, unserved);
// @ts-expect-error Pods have no such field.
void (async () => (await client.of(Pod).inNamespace().get('x')).spec.nonsense);
// @ts-expect-error Config maps cannot be evicted.
void (() => maps.evict('a'));
// @ts-expect-error What is in namespaces is got from one.
void (() => client.of(Pod).get('x'));
`;

/** Tests with a plane, and with what the client exports beside it. */
const TESTING_CONSUMER = `
import { ApiError, ConfigMap } from 'platform-apiserver/client';
import { startTestPlane, type TestPlaneOptions } from 'platform-apiserver/testing';

const options: TestPlaneOptions = { vocabulary: 'kubernetes' };
await using plane = await startTestPlane(options);
await using namespace = await plane.namespace();
const maps = plane.client.of(ConfigMap).inNamespace(namespace.name);
using failing = plane.intercept({ verb: 'create', kind: 'ConfigMap' }, {
  before() {
    throw new ApiError('TooManyRequests', 'later', { retryAfterSeconds: 0 });
  },
});
const refused = await maps.create({ metadata: { name: 'a' } }).catch((error: unknown) => error);
console.log(refused instanceof ApiError && refused.reason);
// @ts-expect-error A test plane keeps everything in memory.
void (() => startTestPlane({ store: 'lmdb' }));
`;

/** What stands in a plane that has just been started. */
const BEGUN = `
import { ConfigMap, Namespace } from 'platform-apiserver/client';
import { startTestPlane } from 'platform-apiserver/testing';

await using plane = await startTestPlane();
const { metadata } = await plane.client.of(Namespace).get('default');
const maps = await plane.client.of(ConfigMap).inNamespace('default').list();
const texts = Object.fromEntries(maps.items.map((map) => [map.metadata.name, map.data?.['ca.crt'] ?? '']));
const [, authority = ''] = /certificate-authority-data: "?([\\w+/=]+)/.exec(plane.server.adminConfig) ?? [];
console.log(JSON.stringify({ metadata, texts, authority: atob(authority) }));
`;

/** A line of what planes begin with, in a file of the package. */
const LEFT =
  '1000 /configmaps/default/left {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"left","namespace":"default",' +
  '"uid":"11111111-2222-3333-4444-555555555555","resourceVersion":"1000","creationTimestamp":"2024-01-01T00:00:00Z"}}\n';

/** A build takes three seconds, and looking at all types twenty, on a machine that has nothing else to do. */
const BUILD_MS = 300_000;

let directory: string;
let project: PackedProject;

beforeAll(async () => {
  directory = await makeDirectory();
  project = await PackedProject.make(directory);
}, BUILD_MS);

afterAll(() => removeDirectory(directory));

describe('the package, packed and installed', () => {
  it('holds what was built, and neither sources nor tests', async () => {
    const files = await project.files();
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE']));
    expect(files.filter((name) => /^(?!dist|README|LICENSE|package\.json|CHANGELOG)|\.test\./.test(name))).toEqual([]);
  });

  it('compiles in a program that names no types, its declarations included', async () => {
    const options = { module: 'nodenext', types: [], exactOptionalPropertyTypes: true, skipLibCheck: false };
    expect(await project.check({ 'consumer.ts': CONSUMER }, options)).toBe('');
  });

  it('starts a server', async () => {
    expect((await project.run('consumer.js', CONSUMER)).split('\n')).toEqual([
      '403 200 200',
      'the server is closed: it takes no more requests',
      "startServer has no option 'prot'",
      '',
    ]);
  });

  it.each([
    { module: 'nodenext', skipLibCheck: false },
    { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: false },
  ])('has entry points whose types check with $module', async (options) => {
    const lib = ['es2023', 'esnext.disposable'];
    const sources = { 'client.ts': CLIENT_CONSUMER, 'testing.ts': TESTING_CONSUMER };
    expect(await project.check(sources, { ...options, lib, types: [] })).toBe('');
  });

  it('starts planes for tests, whose errors are those of the client', async () => {
    expect(await project.run('testing.js', TESTING_CONSUMER)).toBe('TooManyRequests\n');
  });

  it('has brought what planes begin with, and makes it their own', async () => {
    const file = project.path('node_modules/platform-apiserver/dist/testing/foundations/platform.txt');
    await appendFile(file, LEFT);
    const [one, other] = [await project.run('begun.js', BEGUN), await project.run('begun.js', BEGUN)].map((text) =>
      JSON.parse(text),
    );
    for (const { metadata, texts, authority } of [one, other]) {
      expect(Object.keys(texts)).toEqual(['kube-root-ca.crt', 'left']);
      expect(texts['kube-root-ca.crt']).toBe(authority);
      expect(Math.abs(Date.parse(metadata.creationTimestamp) - Date.now())).toBeLessThan(60_000);
    }
    expect(one.metadata.uid).not.toBe(other.metadata.uid);
    expect(one.authority).not.toBe(other.authority);
  });

  it('has a client that speaks with the server', async () => {
    expect(await project.run('client.js', CLIENT_CONSUMER)).toBe('value ADDED NotFound 404\n');
  });

  it('is described as linters of packages want it', async () => {
    const { messages } = await publint({
      pkgDir: project.path('node_modules/platform-apiserver'),
      pack: false,
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  it(
    'has the right types behind every entry point, for modules',
    async () => {
      expect(await project.typesAreWrong()).toBe('');
    },
    BUILD_MS,
  );

  it('has a command that knows its version', async () => {
    const { version } = JSON.parse(
      await readFile(project.path('node_modules/platform-apiserver/package.json'), 'utf8'),
    );
    expect(version).toBe(VERSION);
    expect(await project.command('platform-apiserver', '--version')).toBe(`platform-apiserver ${version}\n`);
  });

  it('has a second command, whose other lines are found beside it', async () => {
    expect(await project.command('platformctl', 'version', '--client')).toBe(`Client Version: v${VERSION}\n`);
    expect(await project.command('platformctl', 'completion', 'bash')).toContain('complete -');
  });

  it('says of everything that it exports what it is, in docs/api too', async () => {
    const declarations = project.path('node_modules/platform-apiserver/dist');
    expect(undocumented(declarations)).toEqual([]);
    const pages = apiPages(declarations);
    const folder = new URL('../docs/api/', import.meta.url);
    expect((await readdir(folder)).sort()).toEqual(Object.keys(pages).sort());
    for (const [name, text] of Object.entries(pages)) {
      expect(await readFile(new URL(name, folder), 'utf8'), 'npm run api-reference writes it').toBe(text);
    }
  });
});

/** The programs of a page, each under a name. Those of a walk go on from its first one. Tests are run elsewhere. */
async function programsIn(page: string, isWalk: boolean): Promise<readonly (readonly [string, string])[]> {
  const text = await readFile(new URL(`../${page}`, import.meta.url), 'utf8');
  const [first = '', ...others] = [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, program = '']) => program)
    .filter((program) => !program.includes("from 'vitest'"));
  const whole = [first, ...others.map((program) => (isWalk ? first + program : program))];
  return whole.map((program, at) => [`${page.replace(/\W/g, '-')}-${at + 1}`, program] as const);
}

describe.each([
  ['README.md', false],
  ['docs/client.md', true],
] as const)('the programs in %s', async (page, isWalk) => {
  const programs = await programsIn(page, isWalk);

  beforeAll(() => project.link('@kubernetes/client-node'));

  it('compile', async () => {
    const sources = Object.fromEntries(programs.map(([name, program]) => [`${name}.ts`, program]));
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      skipLibCheck: true,
      lib: ['es2023', 'esnext.disposable'],
    };
    expect(await project.check(sources, { ...options, types: ['node'] })).toBe('');
  });

  it.each(programs)('print what they say (%s)', async (name, program) => {
    const said = [...program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
    expect(said.length).toBeGreaterThan(0);
    expect(await project.run(`${name}.js`, program)).toBe(said.join(''));
  });
});
