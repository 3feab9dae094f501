import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** A project of a few files with the real build around it. */

const root = fileURLToPath(new URL('..', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  for (const name of [
    'build.mjs',
    'build-declarations.mjs',
    'build-facts.mjs',
    'build-console.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ]) {
    await copyFile(join(root, name), join(directory, name));
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await mkdir(join(directory, 'src', 'cli', 'stand-ins'), { recursive: true });
  for (const name of ['api-server', 'etcd']) await write(`src/cli/stand-ins/${name}.ts`, 'export {};\n');
  await mkdir(join(directory, 'src', 'codec'), { recursive: true });
  await mkdir(join(directory, 'src', 'storage', 'backends', 'lmdb'), { recursive: true });
  for (const name of ['client', 'schema', 'testing']) {
    await mkdir(join(directory, 'src', name));
    await write(`src/${name}/index.ts`, 'export {};\n');
  }
  await write('src/testing/build-foundations.ts', 'export {};\n');
  await mkdir(join(directory, 'console'));
  await write('console/index.html', '<!doctype html><title>hello</title>\n');
  await copyFile(join(root, 'console', 'vite.config.ts'), join(directory, 'console', 'vite.config.ts'));
  await write('src/codec/yaml-thread-program.ts', 'export {};\n');
  await write('src/storage/backends/lmdb/scan-thread-program.ts', 'export {};\n');
  await write('src/index.ts', "export { greeting } from './greeting.ts';\n");
  await write('src/greeting.ts', "export const greeting: string = 'hello';\n");
  await write('src/cli/platform-apiserver.ts', "import { greeting } from '../greeting.ts';\nconsole.log(greeting);\n");
  await write('src/cli/platformctl.ts', 'export {};\n');
  await mkdir(join(directory, 'src', 'cli', 'platformctl'));
  for (const name of ['any-line', 'quick-line']) await write(`src/cli/platformctl/${name}.ts`, 'export {};\n');
});

const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);

function begin(...args: string[]): ChildProcess {
  const options = { cwd: directory, detached: true } as const;
  return spawn(process.execPath, ['build.mjs', ...args], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function end(builder: ChildProcess): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  builder.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(builder, 'close');
  return { code, stderr };
}

/** Builds if something has changed; whether it did. */
async function changed(): Promise<boolean> {
  const before = await stat(join(directory, 'dist')).catch(() => undefined);
  expect(await end(begin('--if-changed'))).toEqual({ code: 0, stderr: '' });
  return (await stat(join(directory, 'dist'))).ino !== before?.ino;
}

/** What the built command prints. */
async function printed(): Promise<string> {
  const command = spawn(process.execPath, ['dist/cli/platform-apiserver.js'], { cwd: directory, stdio: 'pipe' });
  let text = '';
  command.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(command, 'close');
  return text.trimEnd();
}

describe('a build', () => {
  it('is made when there is none, and not again while everything is as it was', async () => {
    expect(await changed()).toBe(true);
    expect(await printed()).toBe('hello');
    expect(await readFile(join(directory, 'dist', 'greeting.d.ts'), 'utf8')).toContain('greeting: string');
    expect(await changed()).toBe(false);
    const now = new Date();
    await utimes(join(directory, 'src', 'greeting.ts'), now, now);
    await write('src/greeting.test.ts', 'not even a program');
    expect(await changed()).toBe(false);
  });

  it('declares the types that an entry point leads to, and no others', async () => {
    await write('src/inner.ts', 'export interface Inner { readonly deep: boolean }\n');
    await write('src/alone.ts', 'export const alone = 1;\n');
    await write(
      'src/greeting.ts',
      "export const greeting: string = 'hello';\nexport const inner = () => import('./inner.ts');\n",
    );
    await changed();
    const declared = (await readdir(join(directory, 'dist'))).filter((name) => name.endsWith('.d.ts'));
    expect(declared.sort()).toEqual(['greeting.d.ts', 'index.d.ts', 'inner.d.ts']);
  });

  it('is made again when a source says something else, however old the file is', async () => {
    await changed();
    await write('src/greeting.ts', "export const greeting: string = 'good morning';\n");
    await utimes(join(directory, 'src', 'greeting.ts'), new Date(0), new Date(0));
    expect(await changed()).toBe(true);
    expect(await printed()).toBe('good morning');
  });

  it('is made again when a source is gone, and what was made of it goes too', async () => {
    const index = await readFile(join(directory, 'src', 'index.ts'), 'utf8');
    await write('src/other.ts', 'export const other = 1;\n');
    await write('src/index.ts', `${index}export { other } from './other.ts';\n`);
    await changed();
    expect(await readdir(join(directory, 'dist'))).toContain('other.d.ts');
    await rm(join(directory, 'src', 'other.ts'));
    await write('src/index.ts', index);
    expect(await changed()).toBe(true);
    expect(await readdir(join(directory, 'dist'))).not.toContain('other.d.ts');
  });

  it.each(['tsconfig.build.json', 'package-lock.json', 'package.json', 'build.mjs'])(
    'is made again when %s has changed',
    async (name) => {
      await changed();
      await write(name, `${await readFile(join(directory, name), 'utf8')}\n`);
      expect(await changed()).toBe(true);
      expect(await changed()).toBe(false);
    },
  );

  it('that is interrupted leaves the last one as it was, and is made up for', async () => {
    await changed();
    for (const [turn, moment] of [80, 250, 500].entries()) {
      const before = await printed();
      await write('src/greeting.ts', `export const greeting: string = 'turn ${turn}';\n`);
      const builder = begin('--if-changed');
      const over = end(builder);
      await new Promise((resolve) => setTimeout(resolve, moment));
      // The whole group: the compiler is a process of its own.
      if (builder.pid && builder.exitCode === null) process.kill(-builder.pid, 'SIGKILL');
      await over;
      // Either it was too late, or nothing has changed; in between, for a moment, there is none.
      expect([before, `turn ${turn}`, '']).toContain(await printed());
      await changed();
      expect(await printed()).toBe(`turn ${turn}`);
      expect(await readdir(join(directory, 'dist'))).toContain('greeting.d.ts');
    }
  });

  it('that fails leaves the last one as it was, says why, and is tried again', async () => {
    await changed();
    await write('src/greeting.ts', 'export const greeting: number = "hello";\n');
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, stderr } = await end(begin('--if-changed'));
      expect(code).toBe(1);
      expect(stderr).toContain('src/greeting.ts');
      expect(await printed()).toBe('hello');
    }
  });

  it('can be made by several at once', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => end(begin())));
    expect(outcomes).toEqual(Array(4).fill({ code: 0, stderr: '' }));
    expect(await printed()).toBe('hello');
    expect(await changed()).toBe(false);
    expect(await readdir(join(directory, '.cache', 'build'))).toEqual([]);
  });
});
