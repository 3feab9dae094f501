import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** A build takes three seconds on a machine that has nothing else to do. */
const BUILD_MS = 180_000;

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
    expect(
      files.filter((name) => /^(?!dist|README|LICENSE|package\.json|CHANGELOG)|\.test\.|test-/.test(name)),
    ).toEqual([]);
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

  it('has a command that knows its version', async () => {
    const { version } = JSON.parse(
      await readFile(project.path('node_modules/platform-apiserver/package.json'), 'utf8'),
    );
    expect(version).toBe(VERSION);
    expect(await project.command('--version')).toBe(`platform-apiserver ${version}\n`);
  });
});

describe('the programs in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, program = ''], at) => [`readme-${at + 1}`, program] as const,
  );

  beforeAll(() => project.link('@kubernetes/client-node'));

  it('compile', async () => {
    const sources = Object.fromEntries(programs.map(([name, program]) => [`${name}.ts`, program]));
    expect(Object.values(sources).join('')).toContain("from '@kubernetes/client-node'");
    const options = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
    expect(await project.check(sources, options)).toBe('');
  });

  it.each(programs)('print what they say (%s)', async (name, program) => {
    const said = [...program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
    expect(said.length).toBeGreaterThan(0);
    expect(await project.run(`${name}.js`, program)).toBe(said.join(''));
  });
});
