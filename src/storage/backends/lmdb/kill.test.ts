import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRuntime as runtime } from '../../../runtime/runtime.ts';
import type { StoredVersion } from '../../backend.ts';
import { LmdbBackend } from './lmdb-backend.ts';

const repository = resolve(fileURLToPath(import.meta.url), '../../../../..');

/** Writes without end from eight writers, and prints each version as it is acknowledged. */
const WRITER = `
import { LmdbBackend } from './storage/backends/lmdb/lmdb-backend.js';
import { systemRuntime as runtime } from './runtime/runtime.js';
const backend = new LmdbBackend({ runtime, directory: process.argv[2], vocabulary: 'neutral' });
const newest = new Map();
await backend.open((versions) => versions.forEach((v) => newest.set(v.key, v.deleted ? 0 : v.revision)), () => {});
const value = { head: '{"revision":', tail: ',"filling":"' + 'x'.repeat(3000) + '"}' };
async function write(key) {
  for (let i = 0; ; i++) {
    const expected = newest.get(key) ?? 0;
    const remove = expected > 0 && i % 5 === 0;
    const { revision } = await backend.commit({ key, expected, value, delete: remove });
    newest.set(key, remove ? 0 : revision);
    process.stdout.write(revision + ' ' + key + '\\n');
  }
}
for (let i = 0; i < 8; i++) write('/pods/a/' + i);
`;

let workshop: string;

beforeAll(async () => {
  workshop = await mkdtemp(join(tmpdir(), 'kill-'));
  const configuration = {
    extends: join(repository, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: join(repository, 'src'),
      outDir: workshop,
      declaration: false,
      emitDeclarationOnly: false,
    },
    include: [join(repository, 'src/storage/backends/lmdb/lmdb-backend.ts')],
  };
  await writeFile(join(workshop, 'tsconfig.json'), JSON.stringify(configuration));
  await writeFile(join(workshop, 'package.json'), '{ "type": "module" }');
  await writeFile(join(workshop, 'writer.js'), WRITER);
  await symlink(join(repository, 'node_modules'), join(workshop, 'node_modules'));
  execFileSync(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', workshop]);
});

afterAll(() => rm(workshop, { recursive: true, force: true }));

/** Lets a writer run for a while, kills it, and returns what it was acknowledged: keys by revision. */
async function runAndKill(directory: string, milliseconds: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, [join(workshop, 'writer.js'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed === '') setTimeout(() => child.kill('SIGKILL'), milliseconds);
    printed += text;
  });
  await new Promise((ended) => child.on('close', ended));
  const lines = printed.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [Number(line.split(' ')[0]), line.split(' ')[1] ?? '']));
}

async function load(directory: string): Promise<StoredVersion[]> {
  const loaded: StoredVersion[] = [];
  const backend = new LmdbBackend({ runtime, directory, vocabulary: 'neutral' });
  await backend.open(
    (versions) => loaded.push(...versions),
    () => undefined,
  );
  await backend.close();
  return loaded;
}

it('a killed process loses nothing it acknowledged and leaves nothing half written', async () => {
  const directory = join(workshop, 'data');
  const acknowledged = new Map<number, string>();
  for (const milliseconds of [20, 57, 131]) {
    for (const [revision, key] of await runAndKill(directory, milliseconds)) acknowledged.set(revision, key);
    const loaded = await load(directory);
    const keys = new Map(loaded.map(({ revision, key }) => [revision, key]));
    for (const [revision, key] of acknowledged) expect(keys.get(revision)).toBe(key);
    for (const { revision, bytes } of loaded) expect(JSON.parse(bytes.toString()).revision).toBe(revision);
  }
  expect(acknowledged.size).toBeGreaterThan(3);
});
