import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfigFile } from '../src/settings/config-file.ts';
import { FLAG_ROWS } from '../src/settings/settings.ts';
import { insist } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** What people run the server by who do not start it by hand. */

const root = fileURLToPath(new URL('..', import.meta.url));
const text = (name: string): string => readFileSync(join(root, 'packaging', name), 'utf8');

/** The flags on a command line, without their values. */
const flagsIn = (line: string): string[] => [...line.matchAll(/--([a-z0-9-]+)/g)].map(([, name = '']) => name);
const KNOWN: ReadonlySet<string> = new Set(['config', ...FLAG_ROWS.map(([, { name }]) => name)]);

/** What shows that the commands of an image are whole. */
const COMMANDS = [
  ['platform-apiserver', '--version'],
  ['platformctl', 'version', '--client'],
] as const;

const run = (program: string, ...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(program, args, { cwd: root, encoding: 'utf8' });

describe('the image', () => {
  const file = text('Containerfile');
  const [, build = '', final = ''] = file.split(/^FROM .*$/m);

  it('is made of files that are there, and of what the first stage made', () => {
    const sources = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    expect(sources).toContain('src');
    expect(sources.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    const taken = [...final.matchAll(/^COPY --from=build \/source\/(\S+)/gm)].map(([, name]) => name);
    expect(taken).toEqual(['package.json', 'node_modules', 'dist']);
  });

  it('has a user of its own, and starts the server with flags that there are', () => {
    expect(final).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    const entry: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(final)?.[1] ?? '[]');
    expect(entry[0]).toBe('platform-apiserver');
    expect(flagsIn(entry.join(' ')).filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  it('is built with all that the build loads', () => {
    const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    const programs = copied.filter((name) => name.endsWith('.mjs'));
    const loaded = programs.flatMap((name) => [
      ...readFileSync(join(root, name), 'utf8').matchAll(/^import .* from '\.\/(.+)';$/gm),
    ]);
    expect(programs).toContain('build.mjs');
    expect(loaded.map(([, name]) => name).filter((name) => !copied.includes(name ?? ''))).toEqual([]);
  });

  it('has the commands of the package, where the package has them', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const links = [...final.matchAll(/ln -s \/opt\/platform-apiserver\/(\S+) \/usr\/local\/bin\/(\S+)/g)];
    expect(Object.fromEntries(links.map(([, target, name]) => [name, target]))).toEqual(bin);
  });

  const builder = ['podman', 'buildah'].find((name) => havePeer(name, '--version'));
  const image = `platform-apiserver-test-${process.pid}`;

  /** Builds it; undefined where the image that it is made from cannot be had. */
  function built(program: string): SpawnSyncReturns<string> | undefined {
    const [, base = ''] = /^ARG NODE=(.+)$/m.exec(file) ?? [];
    if (run(program, 'pull', base).status === 0) {
      return run(program, 'build', '--file', 'packaging/Containerfile', '--tag', image, '.');
    }
    console.warn(`${program} cannot get ${base}: no image is built`);
    return undefined;
  }

  it.runIf(builder === 'podman')('is built, starts, and stops when told to', { timeout: 900_000 }, async (context) => {
    const result = built('podman');
    if (!result) return context.skip();
    onTestFinished(() => {
      run('podman', 'rm', '--force', image);
      run('podman', 'rmi', '--force', image);
    });
    expect(result.status, result.stderr).toBe(0);
    const started = run('podman', 'run', '--detach', '--name', image, image, '--storage=memory');
    expect(started.status, started.stderr).toBe(0);
    await insist(() => expect(run('podman', 'logs', image).stdout).toContain('is ready at https://'));
    for (const [command, ...args] of COMMANDS) expect(run('podman', 'exec', image, command, ...args).status).toBe(0);
    expect(run('podman', 'stop', image).status).toBe(0);
    expect(run('podman', 'logs', image).stdout).toContain('has stopped (SIGTERM)');
  });

  it.runIf(builder === 'buildah')('is built, and its commands run', { timeout: 900_000 }, (context) => {
    const result = built('buildah');
    if (!result) return context.skip();
    onTestFinished(() => {
      run('buildah', 'rm', image);
      run('buildah', 'rmi', image);
    });
    expect(result.status, result.stderr).toBe(0);
    expect(run('buildah', 'from', '--name', image, image).status).toBe(0);
    for (const command of COMMANDS) {
      const ended = run('buildah', 'run', image, '--', ...command);
      expect(ended.status, ended.stderr).toBe(0);
    }
  });
});

describe('the unit', () => {
  const unit = text('platform-apiserver.service');

  it('starts the server with flags that there are, and with settings that fit', async () => {
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    expect(flagsIn(line)).toContain('config');
    expect(flagsIn(line).filter((name) => !KNOWN.has(name))).toEqual([]);
    expect(await readConfigFile(join(root, 'packaging', 'config.yaml'))).toMatchObject({ logFormat: 'json' });
  });

  it.runIf(havePeer('systemd-analyze', '--version'))('is right, and leaves little to attack', async () => {
    const file = join(await temporaryDirectory(), 'platform-apiserver.service');
    // The program need not be installed where the unit is looked at.
    await writeFile(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const verified = run('systemd-analyze', 'verify', file);
    expect(verified.stderr).not.toContain('platform-apiserver.service:');
    const secure = run('systemd-analyze', 'security', '--offline=true', file);
    const [, exposure = '10'] = /exposure level .*: ([\d.]+)/.exec(secure.stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});
