import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PLUGINS } from '../src/admission/plugins.ts';
import { VERSION } from '../src/api/release.ts';
import { startServer } from '../src/server/server.ts';
import { FLAGS } from '../src/settings/settings.ts';
import { type Client, http1Client, tlsOptions } from './support/client.ts';
import { type Command, type Exit, endCommands, runCommand, startCommand } from './support/command.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { openWatch } from './support/watch.ts';

const maps = '/api/v1/namespaces/default/configmaps';

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(endCommands);

async function started(...args: string[]): Promise<Command> {
  const command = startCommand(directory, ...args);
  await command.ready();
  return command;
}

async function adminOf(command: Command): Promise<Client> {
  const client = http1Client(await command.connection());
  onTestFinished(() => client.close());
  return client;
}

async function stop(command: Command): Promise<Exit> {
  command.signal('SIGTERM');
  return command.exit;
}

describe('a start that works', () => {
  it('tells the address, the data directory and the admin configuration, and keeps secrets to its owner', async () => {
    const command = await started('--data-dir=here');
    const { server } = await command.connection('here');
    const [ready, data, config] = command.stdout.split('\n');
    expect(ready).toBe(`platform-apiserver is ready at ${server}`);
    const here = join(await realpath(directory), 'here');
    expect(data).toMatch(/^ {2}data directory +\//);
    expect([data, config].map((line = '') => line.replace(/^ {2}\w+ \w+ +/, ''))).toEqual([here, `${here}/admin.conf`]);
    const paths = command.stdout.split('\n')[3]?.match(/(?<=--\w+ )\S+/g);
    expect(paths).toEqual(['ca.crt', 'admin.crt', 'admin.key'].map((name) => join(here, 'pki', name)));
    expect(await readdir(directory)).toEqual(['here']);

    const pki = await readdir(join(directory, 'here', 'pki'));
    const secrets = ['admin.conf', ...pki.filter((name) => name.endsWith('.key')).map((name) => join('pki', name))];
    expect(secrets.length).toBeGreaterThan(3);
    for (const name of secrets) {
      expect((await stat(join(directory, 'here', name))).mode & 0o777, name).toBe(0o600);
    }
  });

  it('ends with a line that says why', async () => {
    const { code, stdout, stderr } = await stop(await started());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\nplatform-apiserver has stopped \(SIGTERM\)\n$/);
  });

  it.each(['--help', '-h'])('%s lists every flag and every plugin, and nothing is started', async (flag) => {
    const { code, stdout, stderr } = await startCommand(directory, flag).exit;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of Object.values(FLAGS)) expect(stdout).toMatch(new RegExp(`^  --${name}=`, 'm'));
    const plugins = [...stdout.matchAll(/^ {2}([* ]) ([A-Z]\w+) {2}/gm)].map(([, mark, name]) => [name, mark === '*']);
    expect(plugins).toEqual(PLUGINS.map(({ name, byDefault }) => [name, byDefault]));
    expect(await readdir(directory)).toEqual([]);
  });

  it.each(['snapshot', 'migrate'])('%s -h tells how it is used', async (command) => {
    const { code, stdout } = await runCommand(directory, command, '-h');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(`^usage: platform-apiserver ${command} `),
    });
  });

  it('--version tells the version, and nothing is started', async () => {
    const told = { code: 0, stdout: `platform-apiserver ${VERSION}\n`, stderr: '' };
    expect(await startCommand(directory, '--version').exit).toEqual(told);
    expect(await readdir(directory)).toEqual([]);
  });

  it('with a memory store keeps credentials, but no objects', async () => {
    const options = { store: 'memory', dataDir: directory, port: 0 } as const;
    const first = await startServer(options);
    await first.close();
    const second = await startServer(options);
    onTestFinished(() => second.close());
    const withoutAddress = (text: string): string => text.replace(/https:\S+/, '');
    expect(withoutAddress(second.adminConfig)).toBe(withoutAddress(first.adminConfig));
    expect(await readdir(directory)).not.toContain('store');
  });
});

describe('a start that cannot be', () => {
  /** The command says one line about what is wrong, nothing else, and fails. */
  async function expectRefusal(args: string[], reason: string | RegExp): Promise<void> {
    const { code, stdout, stderr } = await startCommand(directory, ...args).exit;
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/^platform-apiserver: .+\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  }

  it('because of a flag that is not known', async () => {
    await expectRefusal(['--frobnicate=1'], 'unknown flag --frobnicate; --help lists all');
  });

  it('because of a value that does not fit', async () => {
    await expectRefusal(['--secure-port=http'], '--secure-port must be a whole number from 0 to 65535, not "http"');
  });

  it('because of a token file that cannot be read', async () => {
    await expectRefusal(['--token-auth-file=missing.csv'], 'cannot read missing.csv: ENOENT');
  });

  it('because of a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expectRefusal([`--secure-port=${port}`], `cannot listen on 127.0.0.1:${port}: the port is in use`);
    taken.close();
  });

  it('because of a data directory below a file', async () => {
    await writeFile(join(directory, 'file'), '');
    const reason = 'cannot use the data directory file/data: part of the path is not a directory (ENOTDIR)';
    await expectRefusal(['--data-dir=file/data'], reason);
  });

  /** File systems of the kernel itself, in which nobody can create anything. Node's own mkdir never returns for /proc. */
  it.each(['/proc', '/sys'].filter(existsSync))('because of a data directory in %s', async (place) => {
    const line = new RegExp(`cannot use the data directory ${place}/data/deeper: [\\w -]+ \\(E[A-Z]+\\)`);
    await expectRefusal([`--data-dir=${place}/data/deeper`], line);
  });

  /** Nothing is forbidden to the administrator of the machine. */
  it.skipIf(process.getuid?.() === 0)('because of a data directory that may not be written to', async () => {
    await chmod(directory, 0o500);
    await expectRefusal(['--data-dir=data'], 'cannot use the data directory data: permission denied (EACCES)');
    await chmod(directory, 0o700);
  });

  it('because of an admin configuration that cannot be one', async () => {
    await mkdir(join(directory, 'admin.conf'));
    await expectRefusal(['--storage=memory', '--data-dir=.'], 'admin.conf: cannot be read (EISDIR)');
  });

  it('because of a data directory that another server uses', async () => {
    await started();
    await expectRefusal([], /\.platform\/store is in use by process \d+/);
  });

  it('because of a data directory of the other vocabulary', async () => {
    await (await startServer({ dataDir: join(directory, '.platform'), port: 0 })).close();
    await expectRefusal(['--vocabulary=kubernetes'], /platform.*vocabulary|vocabulary.*platform/);
  });

  it.each([
    [{ dataDir: 'file' }, 'file: it is not a directory (EEXIST)'],
    [{ authorizationMode: ['Magic'] }, 'unknown authorization mode "Magic"'],
    [{ authorizationMode: [] }, 'no authorization mode given'],
    [{ bindAddress: 'not-an-address' }, 'cannot listen on not-an-address:0'],
    [{ tokenAuthFile: '.' }, 'cannot read .: EISDIR'],
    [{ clientCaFile: 'missing.crt' }, 'cannot read missing.crt: ENOENT'],
    [{ clientCaFile: 'file' }, 'file: holds no PEM certificate'],
    [{ tlsCertFile: 'file' }, '--tls-cert-file and --tls-private-key-file must be given together'],
    [{ tlsCertFile: 'file', tlsPrivateKeyFile: 'file' }, 'file: holds no usable private key'],
  ])('because of %j', async (settings, reason) => {
    const file = join(directory, 'file');
    await writeFile(file, 'text');
    const here = Object.entries(settings).map(([key, value]) => [key, value === 'file' ? file : value] as const);
    const outcome = await startServer({ dataDir: directory, port: 0, ...Object.fromEntries(here) }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(outcome).toContain(reason);
    expect(outcome).not.toContain('\n');
  });

  it('leaves the store to the next who starts', async () => {
    const tokenAuthFile = join(directory, 'tokens.csv');
    await writeFile(tokenAuthFile, 'incomplete');
    const dataDir = join(directory, 'data');
    for (const wrong of [{ tokenAuthFile }, { authorizationMode: ['Magic'] }, { bindAddress: 'nowhere' }]) {
      await expect(startServer({ dataDir, port: 0, ...wrong })).rejects.toThrow(/tokens.csv:1|Magic|cannot listen/);
    }
    await (await startServer({ dataDir, port: 0 })).close();
  });
});

describe('SIGTERM', () => {
  /** A create of which only the beginning has been sent. */
  async function beginCreate(command: Command, body: string): Promise<ClientRequest> {
    const connection = await command.connection();
    const { hostname, port } = new URL(connection.server);
    const outgoing = request({
      method: 'POST',
      hostname,
      port,
      path: maps,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      ...tlsOptions(connection),
    });
    await new Promise((resolve) => outgoing.write(body.slice(0, 10), resolve));
    return outgoing;
  }

  it('turns readiness off first, then ends watches, lets requests finish, and closes the store', async () => {
    const command = await started('--shutdown-delay-duration=1s');
    const admin = await adminOf(command);
    const { resourceVersion } = (await admin.request('GET', maps)).body.metadata;
    const watch = await openWatch(await command.connection(), `${maps}?watch=1&resourceVersion=${resourceVersion}`);
    onTestFinished(() => watch.close());
    expect((await admin.request('GET', '/readyz')).status).toBe(200);
    const body = JSON.stringify({ metadata: { name: 'late' } });
    const create = await beginCreate(command, body);
    const answered: Promise<IncomingMessage[]> = once(create, 'response');

    command.signal('SIGTERM');
    await expect.poll(async () => (await admin.request('GET', '/readyz')).status).toBe(500);
    expect((await admin.request('GET', '/livez')).status).toBe(200);
    expect((await admin.request('POST', maps, { metadata: { name: 'meanwhile' } })).status).toBe(201);

    expect(await watch.ended).toBe('clean');
    expect(watch.pending.map(({ object }) => object.metadata.name)).toEqual(['meanwhile']);
    await expect(admin.request('GET', '/readyz')).rejects.toThrow();
    create.end(body.slice(10));
    const [response] = await answered;
    expect(response?.statusCode).toBe(201);
    response?.resume();
    const { code, stderr } = await command.exit;
    expect(code).toBe(0);
    expect(stderr.replace(/^.*"a health check failed".*\n/gm, '')).toBe('');

    const again = await started();
    const { items } = (await (await adminOf(again)).request('GET', maps)).body;
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['late', 'meanwhile']));
    const resumed = await openWatch(await again.connection(), `${maps}?watch=1&resourceVersion=${resourceVersion}`);
    onTestFinished(() => resumed.close());
    expect((await resumed.take(2)).map(({ object }) => object.metadata.name)).toEqual(['meanwhile', 'late']);
  });

  it('does not wait for connections that only stand by', async () => {
    const command = await started('--storage=memory');
    await (await adminOf(command)).request('GET', '/readyz');
    const began = performance.now();
    expect((await stop(command)).code).toBe(0);
    // Connections that must be broken off are given ten seconds.
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});
