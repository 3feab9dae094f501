import { mkdir, mkdtemp, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAnyLine } from '../src/cli/platformctl/any-line.ts';
import { headerOf, type TarEntry } from '../src/cli/platformctl/copying/tar-format.ts';
import { exited, runProcess } from './support/container-node.ts';
import type { Run } from './support/kubectl.ts';
import { PlaneWithPod } from './support/plane-with-pod.ts';
import { Platformctl, type PlatformctlSettings } from './support/platformctl.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

describe.each(['platform', 'kubernetes'] as const)('platformctl, in the %s vocabulary', (vocabulary) => {
  let world: PlaneWithPod;
  let configFile: string;
  let folder: string;

  beforeAll(async () => {
    world = await PlaneWithPod.start(vocabulary);
    configFile = join(world.directory, 'admin.conf');
    await world.addWorkloads();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(world.directory, 'work-'));
    world.node.speaks = ['v5', 'v4', 'spdy'];
    world.node.run = (command, streams) => runProcess(command, world.inside, streams);
    world.node.answerWithLines();
  });

  afterAll(() => world.close());

  const ours = (args: readonly string[], settings?: PlatformctlSettings): Promise<Run> =>
    new Platformctl(folder, configFile).run(args, settings);

  describe('logs', () => {
    it('shows what the node is asked for', async () => {
      const { code, stdout } = await ours(['logs', 'web', '--tail=5', '--since=90s', '--timestamps', '-p']);
      expect([code, stdout]).toEqual([0, 'one of web main\ntwo of web main\n']);
      expect(world.node.standIn.latest.url).toBe(
        '/containerLogs/default/web/main?previous=true&timestamps=true&sinceSeconds=90&tailLines=5',
      );
    });

    it('follows several containers at once, each line whole and with its prefix', async () => {
      world.node.standIn.answer = ({ url = '' }, response) => {
        const container = url.split(/[/?]/)[4];
        response.write(`first ${container}\nsec`);
        setTimeout(() => response.end('ond\nlast'), 20);
      };
      const { code, stdout } = await ours(['logs', '-f', 'many-a', '--all-containers', '--prefix']);
      expect(code).toBe(0);
      const lines = stdout.match(/\[pod\/many-a\/(main|side)\] (first (main|side)\n|second\n|last)/g) ?? [];
      expect(lines.join('').length).toBe(stdout.length);
      expect(lines).toHaveLength(6);
    });

    it('has a colour for each container on a terminal, and none where they are not wanted', async () => {
      const line = ['logs', '-l', 'app=many', '--prefix', '-c', 'main'];
      const { stdout } = await ours(line, { terminalColumns: 80 });
      expect(new Set(stdout.split('[pod/').map((part) => part.slice(-5))).size).toBe(3);
      expect((await ours(line, { terminalColumns: 80, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    });

    it('does not follow more than it may', async () => {
      const { code, stderr } = await ours(['logs', '-f', '-l', 'app=many', '--all-containers', '--max-log-requests=3']);
      expect(code).toBe(1);
      expect(stderr).toContain('you are attempting to follow 4 log streams, but maximum allowed concurrency is 3');
    });

    it('goes on with the others where errors are ignored', async () => {
      world.node.standIn.answer = ({ url = '' }, response) => {
        if (url.includes('many-a')) response.writeHead(500).end('no disk');
        else response.end('fine\n');
      };
      expect((await ours(['logs', '-l', 'app=many', '-c', 'main'])).code).toBe(1);
      const { code, stdout } = await ours(['logs', '-l', 'app=many', '-c', 'main', '--ignore-errors']);
      expect(code).toBe(0);
      expect(stdout).toContain('no disk');
      expect(stdout).toContain('fine\n');
    });

    it('ends when it is interrupted', async () => {
      world.node.standIn.answer = (_request, response) => void response.write('begun\n');
      const { code, stdout } = await ours(['logs', '-f', 'web'], { until: /begun/ });
      expect([code, stdout]).toEqual([0, 'begun\n']);
    });
  });

  describe('cp', () => {
    const treeOf = async (path: string): Promise<Record<string, string>> => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const told = entries.map(async (entry): Promise<[string, string]> => {
        const full = join(entry.parentPath, entry.name);
        if (entry.isDirectory()) return [full.slice(path.length), '/'];
        return [
          full.slice(path.length),
          entry.isSymbolicLink() ? `-> ${await readlink(full)}` : await readFile(full, 'utf8'),
        ];
      });
      return Object.fromEntries(await Promise.all(told));
    };

    it('copies a folder there and back, long names and large files too', async () => {
      const source = join(folder, 'source');
      await mkdir(join(source, 'deep', 'x'.repeat(150)), { recursive: true });
      await writeFile(join(source, 'large'), 'large '.repeat(200_000));
      await writeFile(join(source, 'deep', 'x'.repeat(150), 'ümläut'), 'small');
      await writeFile(join(source, 'empty'), '');
      await mkdir(join(world.inside, 'into'), { recursive: true });
      expect(await ours(['cp', 'source', 'web:into'])).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await treeOf(join(world.inside, 'into', 'source'))).toEqual(await treeOf(source));
      const back = await ours(['cp', 'web:into/source', 'back']);
      expect(back).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await treeOf(join(folder, 'back'))).toEqual(await treeOf(source));
    });

    it('leaves links out, and tells so', async () => {
      await mkdir(join(world.inside, 'linked'), { recursive: true });
      await symlink('/etc', join(world.inside, 'linked', 'trap')).catch(() => {});
      const { code, stderr } = await ours(['cp', 'web:linked', 'linked']);
      expect(code).toBe(0);
      expect(stderr).toContain('warning: skipping symlink:');
      expect(await readdir(join(folder, 'linked'))).toEqual([]);
    });

    it('writes nothing outside of its destination, whatever a container sends', async () => {
      const entry = (name: string, type: TarEntry['type'], target = ''): Buffer =>
        headerOf({ name, type, mode: 0o644, size: 0, target, modified: 0 });
      world.node.run = (_command, { stdout, error }) => {
        const parts = [
          entry('src/', 'directory'),
          entry('src/../../escaped', 'file'),
          entry('src/link', 'symlink', '..'),
          entry('src/link/through', 'file'),
          entry('src/hard', 'link', '/etc/passwd'),
          entry('src/good', 'file'),
          Buffer.alloc(1024),
        ];
        stdout.end(Buffer.concat(parts), () => error.end('{"status":"Success"}'));
      };
      const { code, stderr } = await ours(['cp', 'web:src', 'out/src', `--cache-dir=${await temporaryDirectory()}`]);
      expect(code).toBe(0);
      expect(stderr).toContain('is outside target destination, skipping');
      expect(await treeOf(folder)).toEqual({
        ...{ '/out': '/', '/out/src': '/', '/out/src/good': '', '/out/src/link': '/', '/out/src/link/through': '' },
      });
    });

    it.each([
      ['nonsense', Buffer.alloc(4096, 'x')],
      [
        'an archive that ends too early',
        headerOf({ name: 'src', type: 'file', mode: 0o644, size: 10, target: '', modified: 0 }),
      ],
      [
        'a name of a gigabyte',
        headerOf({ name: 'src', type: 'other', mode: 0, size: 2 ** 30, target: '', modified: 0 }),
      ],
    ])('refuses %s', async (_what, archive) => {
      world.node.run = (_command, { stdout, error }) => {
        stdout.end(archive, () => error.end('{"status":"Success"}'));
      };
      expect((await ours(['cp', 'web:src', 'out'])).code).toBe(1);
    });

    it('tells what tar says, and ends as it does', async () => {
      const { code, stderr } = await ours(['cp', 'web:missing', 'out']);
      expect(code).toBe(2);
      expect(stderr).toContain('missing');
      expect(stderr).toContain('command terminated with exit code 2');
    });
  });

  describe('exec', () => {
    it('gives the terminal to the process, its size included, and takes it back', async () => {
      const raw: boolean[] = [];
      const told: string[] = [];
      world.node.run = (_command, { stdin, stdout, error, resize }) => {
        resize.on('data', (part) => told.push(String(part).trim()));
        stdin.once('data', (part) => {
          stdout.end(`you typed ${part}`);
          error.end(JSON.stringify(exited(4)));
        });
      };
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (is: boolean) => raw.push(is) });
      const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 132, rows: 43 });
      const stderr = new PassThrough();
      stdin.write('\u0003');
      const code = await runAnyLine(['exec', '-it', 'web', '--', 'sh'], {
        ...{ stdin, stdout, stderr, cwd: folder, home: folder },
        env: { PLATFORMCONFIG: configFile },
        interrupted: new AbortController().signal,
      });
      expect(code).toBe(4);
      expect(raw).toEqual([true, false]);
      expect(told).toEqual(['{"Width":132,"Height":43}']);
      expect(String(stdout.read())).toBe('you typed \u0003');
      expect(String(stderr.read())).toBe('command terminated with exit code 4\n');
      expect(world.node.standIn.latest.url).toBe('/exec/default/web/main?input=1&output=1&tty=1&command=sh');
    });

    it('has no terminal to give where there is none', async () => {
      const { code, stdout, stderr } = await ours(['exec', '-it', 'web', '--', 'cat'], { stdin: 'piped' });
      expect([code, stdout]).toEqual([0, 'piped']);
      expect(stderr).toBe('Unable to use a TTY - input is not a terminal or the right kind of file\n');
    });

    it('takes a pod of what is named, and waits for one', async () => {
      expect((await ours(['exec', 'deploy/many', '-c', 'main', '--', 'echo', 'there'])).stdout).toBe('there\n');
      const { code, stderr } = await ours(['exec', 'service/lonely', '--pod-running-timeout=1ms', '--', 'ls']);
      expect([code, stderr]).toEqual([1, 'error: timed out waiting for the condition\n']);
    });
  });

  describe('port-forward', () => {
    let inside: Server;

    beforeAll(async () => {
      inside = createServer((_request, response) => response.end('from the pod'));
      await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
      world.node.ports = { 8080: (inside.address() as AddressInfo).port };
    });

    afterAll(() => new Promise((resolve) => inside.close(resolve)));

    it.each(['web :8080', 'pod/web :main-port', 'service/shop :http', 'service/shop :80', 'deployment/many :8080'])(
      'forwards %s',
      async (words) => {
        const line = ['port-forward', ...words.split(' '), '--address=127.0.0.1'];
        const run = runUntilTold(line, /Forwarding from 127\.0\.0\.1:(\d+) -> 8080\n/);
        const port = await run.told;
        expect((await get(Number(port), '/', {})).text).toBe('from the pod');
        const { code, stdout } = await run.end();
        expect(code).toBe(0);
        expect(stdout).toContain(`Handling connection for ${port}\n`);
      },
    );

    it.each([
      [['service/shop', ':99'], 'error: Service shop does not have a service port 99\n'],
      [['web', 'none'], "error: Pod 'web' does not have a named port 'none'\n"],
      [['web', '1:2:3'], "error: invalid port format '1:2:3'\n"],
    ])('refuses %j', async (words, message) => {
      expect(await ours(['port-forward', ...words])).toEqual({ code: 1, stdout: '', stderr: message });
    });
  });

  /** Runs a line that goes on until it is told to end; `told` is what its output says. */
  function runUntilTold(args: readonly string[], pattern: RegExp) {
    let tell: (text: string) => void = () => {};
    const told = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const until = {
      test(text: string): boolean {
        const [, found] = pattern.exec(text) ?? [];
        if (found !== undefined) tell(found);
        return false;
      },
    };
    const interruption = new AbortController();
    const done = ours(args, { until, interruption });
    return {
      told: Promise.race([told, done.then(({ stderr }) => Promise.reject(new Error(stderr)))]),
      end(): Promise<Run> {
        interruption.abort();
        return done;
      },
    };
  }

  function get(port: number, path: string, headers: Record<string, string>) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      })
        .once('error', reject)
        .end();
    });
  }

  describe('proxy', () => {
    it('passes requests on that are meant for this machine, and no others', async () => {
      const www = join(folder, 'www');
      await mkdir(www);
      await writeFile(join(www, 'page.html'), 'a page');
      await writeFile(join(folder, 'secret'), 'a secret');
      await symlink(join(folder, 'secret'), join(www, 'link'));
      const run = runUntilTold(['proxy', '--port=0', `--www=${www}`], /Starting to serve on 127\.0\.0\.1:(\d+)\n/);
      const port = Number(await run.told);
      const statusOf = async (path: string, headers = {}) => (await get(port, path, headers)).status;
      expect(JSON.parse((await get(port, '/api/v1/namespaces/default/pods/web', {})).text)).toMatchObject({
        kind: 'Pod',
      });
      expect(await get(port, '/static/page.html', {})).toEqual({ status: 200, text: 'a page' });
      expect(await statusOf('/static/link')).toBe(404);
      expect(await statusOf('/static/../secret')).not.toBe(200);
      expect(await statusOf('/static/%2e%2e/secret')).toBe(404);
      expect(await statusOf('/api', { host: 'evil.example' })).toBe(403);
      expect(await statusOf('/api', { host: `localhost:${port}` })).toBe(200);
      expect(await statusOf('/api', { host: 'localhost.evil.example' })).toBe(403);
      expect(await get(port, '/api/v1/namespaces/default/pods/web/exec', {})).toEqual({
        status: 403,
        text: 'Forbidden\n',
      });
      expect(await statusOf('/api/v1/namespaces/default/pods/gone')).toBe(404);
      expect((await run.end()).code).toBe(0);
    });

    it('matches in linear time', async () => {
      const line = ['proxy', '--port=0', '--accept-paths=^/(a+)+$'];
      const run = runUntilTold(line, /Starting to serve on 127\.0\.0\.1:(\d+)\n/);
      const port = Number(await run.told);
      expect((await get(port, `/${'a'.repeat(5_000)}!`, {})).status).toBe(403);
      await run.end();
      expect((await ours(['proxy', '--accept-paths=('])).stderr).toMatch(/^error: --accept-paths: /);
    });

    it('serves the interface below a path of its own', async () => {
      const run = runUntilTold(
        ['proxy', '--port=0', '--api-prefix=/below'],
        /Starting to serve on 127\.0\.0\.1:(\d+)\n/,
      );
      const port = Number(await run.told);
      expect((await get(port, '/below/version', {})).status).toBe(200);
      expect((await get(port, '/version', {})).status).toBe(404);
      await run.end();
    });
  });
});
