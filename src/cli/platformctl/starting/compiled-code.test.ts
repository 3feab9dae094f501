import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { CODE_FOLDER } from './compiled-code.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('./compiled-code.ts', import.meta.url));

/** What is compiled is kept when a process ends, so each case is a process. */
describe('programs that are kept compiled', () => {
  let folder = '';
  const inFolder = (...names: string[]): string => join(folder, ...names);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compiled-code-'));
    await build({
      entryPoints: [SOURCE],
      outfile: inFolder('compiled-code.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    const starter = `const { CompiledCode } = require('./compiled-code.cjs');
      new CompiledCode({ kept: __dirname + '/kept', programs: __dirname, use: 'any' }, require).load('./first.cjs');`;
    await writeFile(inFolder('starter.cjs'), starter);
    await writeFile(inFolder('second.cjs'), "exports.name = require('node:path').basename(__filename);");
  });

  beforeEach(async () => {
    await rm(inFolder('kept'), { recursive: true, force: true });
    await say('one');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const say = (word: string): Promise<void> =>
    writeFile(inFolder('first.cjs'), `console.log('${word}', require('./second.cjs').name);`);

  async function said(env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await run(process.execPath, [inFolder('starter.cjs')], { env });
    return stdout.trim();
  }

  const keptOf = (name: string): string => inFolder('kept', `${name}-any-${process.version}-${process.arch}`);
  const inode = async (name: string): Promise<number> => (await stat(keptOf(name))).ino;

  it('load each other and what Node has, are kept by the first run and left alone by the next', async () => {
    expect(await said()).toBe('one second.cjs');
    const [first, second] = [await inode('first.cjs'), await inode('second.cjs')];
    expect(await readdir(inFolder('kept'))).toHaveLength(2);
    expect((await stat(keptOf('first.cjs'))).mode & 0o777).toBe(0o600);
    expect(await said()).toBe('one second.cjs');
    expect([await inode('first.cjs'), await inode('second.cjs')]).toEqual([first, second]);
  });

  it('are compiled anew where their text is another, even of the same length', async () => {
    await said();
    const before = await inode('first.cjs');
    await say('two');
    expect(await said()).toBe('two second.cjs');
    expect(await inode('first.cjs')).not.toBe(before);
    expect(await said()).toBe('two second.cjs');
  });

  it('are compiled anew where what was kept is damaged', async () => {
    await said();
    const kept = await readFile(keptOf('first.cjs'));
    kept.writeUInt8(kept.readUInt8(kept.length - 1) ^ 1, kept.length - 1);
    await writeFile(keptOf('first.cjs'), kept);
    const before = await inode('first.cjs');
    expect(await said()).toBe('one second.cjs');
    expect(await inode('first.cjs')).not.toBe(before);
  });

  it('are not read from what others can write', async () => {
    await said();
    await chmod(keptOf('first.cjs'), 0o666);
    const before = await inode('first.cjs');
    expect(await said()).toBe('one second.cjs');
    expect(await inode('first.cjs')).not.toBe(before);
  });

  it('are not kept where others can write, or where nobody can', async () => {
    await mkdir(inFolder('kept'));
    await chmod(inFolder('kept'), 0o777);
    expect(await said()).toBe('one second.cjs');
    expect(await readdir(inFolder('kept'))).toEqual([]);
    await rm(inFolder('kept'), { recursive: true });
    await writeFile(inFolder('kept'), '');
    expect(await said()).toBe('one second.cjs');
    await rm(inFolder('kept'));
  });

  it('are not kept where Node is told to keep no code', async () => {
    expect(await said({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('one second.cjs');
    await expect(stat(inFolder('kept'))).rejects.toThrow('ENOENT');
  });

  it('take the place of those of releases that nobody used for long', async () => {
    const former = inFolder('kept', 'first.cjs-any-v20.0.0-x64');
    await mkdir(inFolder('kept'), { mode: 0o700 });
    await writeFile(former, 'code');
    await utimes(former, 0, 0);
    await said();
    expect(await readdir(inFolder('kept'))).toHaveLength(2);
    await expect(stat(former)).rejects.toThrow('ENOENT');
  });

  it('are kept below the folder of client configurations', () => {
    expect(CODE_FOLDER.startsWith(join(vocabularies.platform.clientConfiguration.folder, 'cache'))).toBe(true);
  });
});
