import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { programOf } from './support/command.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { insist, patiently } from './support/patience.ts';
import { havePeer, kubectlPrograms } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** `platform-apiserver test`: a plane for as long as a command runs. */

const program = programOf(fileURLToPath(new URL(`../${COMMAND_FOLDER}`, import.meta.url)));

let directory: string;
let temporary: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  temporary = join(directory, 'tmp');
  await mkdir(temporary);
});

/** Begins it in a directory of its own, with nothing of this process but where programs are. */
function begin(...args: string[]) {
  const child = spawn(process.execPath, [program, 'test', ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, TMPDIR: temporary, HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, ...texts }));
  return { child, texts, exit: patiently('the end of the command', exit) };
}

const run = (...args: string[]) => begin(...args).exit;

/** What a command prints about where the plane is. */
const SHOW = `
const { readFileSync, statSync } = require('node:fs');
const { KUBECONFIG, PLATFORMCONFIG, ...rest } = process.env;
const text = readFileSync(KUBECONFIG, 'utf8');
console.log(JSON.stringify({
  KUBECONFIG, PLATFORMCONFIG, rest, server: /server: "?([^"\\n]+)/.exec(text)[1], mode: statSync(KUBECONFIG).mode & 0o777,
}));
`;

describe('the command behind --', () => {
  it('has a plane, and variables that lead every tool to it; afterwards both are gone', async () => {
    const { code, stdout, stderr } = await run('--', process.execPath, '-e', SHOW);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const shown = JSON.parse(stdout);
    const assets = join(program, '..', '..', 'stand-ins');
    expect(shown).toMatchObject({
      PLATFORMCONFIG: shown.KUBECONFIG,
      mode: 0o600,
      server: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      rest: {
        USE_EXISTING_CLUSTER: 'true',
        KUBEBUILDER_ASSETS: assets,
        TEST_ASSET_KUBE_APISERVER: join(assets, 'kube-apiserver'),
        TEST_ASSET_ETCD: join(assets, 'etcd'),
      },
    });
    expect(existsSync(shown.KUBECONFIG)).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
    expect(await readdir(directory)).toEqual(['tmp']);
    await expect(fetch(shown.server)).rejects.toThrow();
  });

  it.each([[0], [7], [255]])('ends everything with its code, %i', async (code) => {
    expect(await run('--', process.execPath, '-e', `process.exit(${code})`)).toMatchObject({ code, stdout: '' });
  });

  it('that a signal ends gives the code of shells, and leaves nothing', async () => {
    const killed = await run('--', process.execPath, '-e', "process.kill(process.pid, 'SIGKILL')");
    expect(killed.code).toBe(137);
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('gets %s, and has time for it', async (signal) => {
    const script = `process.once('${signal}', () => setTimeout(() => { console.log('tidy'); process.exit(9) }, 50));
      setInterval(() => {}, 1000); console.log('begun');`;
    const { child, texts, exit } = begin('--', process.execPath, '-e', script);
    await insist(() => expect(texts.stdout).toBe('begun\n'));
    child.kill(signal);
    expect(await exit).toMatchObject({ code: 9, stdout: 'begun\ntidy\n' });
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each([
    ['./nowhere', 127, 'ENOENT'],
    ['.', 126, 'EACCES'],
  ])('that cannot be run (%s) is told as shells do', async (name, code, reason) => {
    const outcome = await run('--', name);
    expect(outcome).toMatchObject({ code, stderr: `platform-apiserver: cannot run ${name}: ${reason}\n` });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is wanted', async () => {
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a command behind --') });
    expect(await run('--')).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a command behind --') });
  });
});

describe('--kubeconfig-out', () => {
  const shown = ['--', process.execPath, '-p', 'process.env.KUBECONFIG'];

  it('says where the configuration is while the command runs', async () => {
    const { code, stdout } = await run('--kubeconfig-out', 'plane.conf', ...shown);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: join(directory, 'plane.conf') });
    expect(existsSync(join(directory, 'plane.conf'))).toBe(false);
  });

  it('takes the place of one that was left behind, and of no other', async () => {
    const file = join(directory, 'plane.conf');
    await writeFile(file, 'of someone else');
    const refused = await run('--kubeconfig-out=plane.conf', ...shown);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is there already') });
    expect(await readFile(file, 'utf8')).toBe('of someone else');
    await writeFile(join(directory, 'left.conf'), await markOf('left.conf'));
    expect(await run('--kubeconfig-out=left.conf', ...shown)).toMatchObject({ code: 0 });
  });

  /** The first line of such a file, as it was written. */
  async function markOf(name: string): Promise<string> {
    const script = `console.log(require('node:fs').readFileSync('${name}', 'utf8').split('\\n')[0])`;
    return (await run(`--kubeconfig-out=${name}`, '--', process.execPath, '-e', script)).stdout;
  }
});

describe('its flags', () => {
  it('are those of the server; wrong ones start nothing', async () => {
    const wrong = await run('--frobnicate', '--', process.execPath, '-p', '1');
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('unknown flag --frobnicate') });
    const script =
      "console.log(/name: \"?([^\"\\n]+)/.exec(require('node:fs').readFileSync(process.env.PLATFORMCONFIG, 'utf8'))[1])";
    expect((await run('--vocabulary=platform', '--', process.execPath, '-e', script)).stdout).toBe('platform\n');
    expect((await run('--', process.execPath, '-e', script)).stdout).toBe('kubernetes\n');
  });

  it('behind -- are of the command', async () => {
    const { code, stdout } = await run(
      '--',
      process.execPath,
      '-p',
      'process.argv.slice(1).join()',
      '--',
      '--help',
      '--v=3',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '--help,--v=3\n' });
  });

  it('tell where the stand-ins are', async () => {
    const { stdout } = await run('--print-assets');
    expect((await readdir(stdout.trim())).sort()).toEqual(['etcd', 'kube-apiserver', 'package.json']);
  });

  it('are explained', async () => {
    expect((await run('--help')).stdout).toContain('--kubeconfig-out=FILE');
  });
});

describe.skipIf(kubectlPrograms().length === 0)('a tool of the field', () => {
  it('works without being told anything', async () => {
    const [kubectl] = kubectlPrograms();
    const { code, stdout } = await run('--', kubectl?.path ?? '', 'get', 'namespaces', '-o', 'name');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('namespace/kube-system') });
  });
});

describe.skipIf(!havePeer('go', 'version'))('a program in Go', () => {
  it('is run with the variables of its test environment', async () => {
    await writeFile(join(directory, 'go.mod'), 'module example.com/t\n');
    const source = `package t
import ("os"; "testing")
func TestPlane(t *testing.T) {
  if os.Getenv("USE_EXISTING_CLUSTER") != "true" { t.Fatal("no plane") }
  if _, err := os.Stat(os.Getenv("KUBECONFIG")); err != nil { t.Fatal(err) }
}
`;
    await writeFile(join(directory, 'plane_test.go'), source);
    expect(await run('--', 'go', 'test', './...')).toMatchObject({ code: 0 });
  });
});
