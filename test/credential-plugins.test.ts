import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConnection } from '../src/client/config/load-connection.ts';
import { identityOf } from '../src/client/credentials/identity-of.ts';
import { HttpTransport } from '../src/client/http-transport.ts';
import type { Identity } from '../src/client/identity.ts';
import type { Send } from '../src/client/plane-client.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { certificateRequest, TestAuthority } from './support/certificates.ts';
import { http1Client } from './support/client.ts';
import { Command, endCommands, startCommand } from './support/command.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { credential, PluginFolder, V1 } from './support/plugin-folder.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk } from './support/who-am-i.ts';

/** Credential plugins against a server, with configurations in files as people have them. */

const authority = new TestAuthority('users');
let directory: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  const clientCaFile = join(directory, 'users.crt');
  await writeFile(tokenAuthFile, 'token-of-ann,ann,1\ntoken-of-bob,bob,2\n');
  await writeFile(clientCaFile, authority.pem);
  plane = await startTestServer({ tokenAuthFile, clientCaFile });
  await letGroupAsk(plane.admin, 'system:authenticated');
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

interface Sender {
  readonly folder: PluginFolder;
  readonly identity: Identity;
  readonly send: Send;
}

/** Sends requests as a configuration says that is in a file beside its plugin. */
async function sender(output: string, interactiveMode = 'Never'): Promise<Sender> {
  const folder = await PluginFolder.make();
  await folder.printing(output);
  const config = {
    clusters: [
      {
        name: 'plane',
        cluster: {
          server: plane.connection.server,
          'certificate-authority-data': Buffer.from(plane.connection.ca ?? '').toString('base64'),
        },
      },
    ],
    users: [{ name: 'plugin', user: { exec: { command: './plugin', apiVersion: V1, interactiveMode } } }],
    contexts: [{ name: 'x', context: { cluster: 'plane', user: 'plugin' } }],
    'current-context': 'x',
  };
  const explicitFile = join(folder.path, 'config');
  await writeFile(explicitFile, JSON.stringify(config));
  const spoken = [vocabularies.platform];
  const environment = { PATH: process.env.PATH };
  const connection = await loadConnection({
    explicitFile,
    environment,
    homeDirectory: folder.path,
    vocabularies: spoken,
  });
  const identity = await identityOf(connection, {
    vocabularies: spoken,
    runtime: systemRuntime,
    environment,
    hasTerminal: false,
    stderr: 'ignore',
  });
  const transport = new HttpTransport(connection, systemRuntime, 'test');
  onTestFinished(() => transport.close());
  return { folder, identity, send: transport.sendAs(identity) };
}

const REVIEWS = '/apis/certificates.platform.io/v1/certificatesigningrequests?dryRun=All';
const request = certificateRequest('anyone');

/** Whom the server takes the sender for, or the status of its refusal. */
async function userOf({ send }: Sender): Promise<string | number> {
  const spec = { request, signerName: 'example.com/test', usages: ['client auth'] };
  const body = JSON.stringify({ metadata: { name: 'who-am-i' }, spec });
  const answer = await send({ method: 'POST', target: REVIEWS, body });
  return answer.status === 201 ? JSON.parse(answer.body.toString()).spec.username : answer.status;
}

const certificateFor = (commonName: string): string => {
  const { clientCertificate, clientKey } = authority.client({ commonName });
  return credential({ clientCertificateData: clientCertificate, clientKeyData: clientKey });
};

describe('a server', () => {
  it('knows its user by the token of a plugin', async () => {
    expect(await userOf(await sender(credential({ token: 'token-of-ann' })))).toBe('ann');
  });

  it('knows its user by the certificate of a plugin, and by another one on a new connection', async () => {
    const sent = await sender(certificateFor('carol'));
    expect(await userOf(sent)).toBe('carol');
    await sent.folder.say(certificateFor('dave'));
    expect(await userOf(sent)).toBe('carol');
    sent.identity.refused();
    expect(await userOf(sent)).toBe('dave');
    expect(await sent.folder.runs()).toBe(2);
  });

  it('that refuses a token has the plugin run once more', async () => {
    const sent = await sender(credential({ token: 'no-more' }));
    expect(await userOf(sent)).toBe(401);
    await sent.folder.say(credential({ token: 'token-of-bob' }));
    expect(await userOf(sent)).toBe('bob');
    expect(await userOf(sent)).toBe('bob');
    expect(await sent.folder.runs()).toBe(2);
  });

  it('that refuses a certificate has the plugin run once more', async () => {
    const stranger = new TestAuthority('strangers').client({ commonName: 'carol' });
    const status = { clientCertificateData: stranger.clientCertificate, clientKeyData: stranger.clientKey };
    const sent = await sender(credential(status));
    expect(await userOf(sent)).toBe(401);
    await sent.folder.say(certificateFor('carol'));
    expect(await userOf(sent)).toBe('carol');
    expect(await sent.folder.runs()).toBe(2);
  });

  it('is asked by two hundred requests after one run, and after one more when it refused all of them', async () => {
    const sent = await sender(credential({ token: 'no-more' }));
    const all = () => Promise.all(Array.from({ length: 200 }, () => userOf(sent)));
    expect(new Set(await all())).toEqual(new Set([401]));
    expect(await sent.folder.runs()).toBe(1);
    await sent.folder.say(credential({ token: 'token-of-ann' }));
    expect(new Set(await all())).toEqual(new Set(['ann']));
    expect(await sent.folder.runs()).toBe(2);
  });

  it('is not asked when the plugin fails, whose failure is that of the request', async () => {
    const sent = await sender('');
    await expect(userOf(sent)).rejects.toThrow(
      `credential plugin ${join(sent.folder.path, 'plugin')}: printed nothing`,
    );
  });
});

describe('control loops in a process of their own', () => {
  afterEach(endCommands);

  it('run as the user that a plugin gives', async () => {
    const folder = await PluginFolder.make();
    const server = startCommand(folder.path, '--controllers=-*');
    await server.ready();
    const { server: url, ca = '', clientCertificate, clientKey } = await server.connection();
    await folder.printing(credential({ clientCertificateData: clientCertificate, clientKeyData: clientKey }));
    const config = {
      clusters: [
        { name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
      ],
      users: [{ name: 'u', user: { exec: { command: './plugin', apiVersion: V1, interactiveMode: 'IfAvailable' } } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(join(folder.path, 'loops.conf'), JSON.stringify(config));
    const loops = new Command(['controllers', '--kubeconfig=loops.conf'], folder.path);
    await expect.poll(() => loops.stdout, { timeout: PATIENCE_MS }).toMatch(/control loops at/);
    await expect.poll(() => folder.runs(), { timeout: PATIENCE_MS }).toBe(1);
    const admin = http1Client(await server.connection());
    onTestFinished(() => admin.close());
    const lease = '/apis/coordination.platform.io/v1/namespaces/platform-system/leases/kube-controller-manager';
    await expect.poll(async () => (await admin.request('GET', lease)).status, { timeout: PATIENCE_MS }).toBe(200);
    loops.signal('SIGTERM');
    expect((await loops.exit).code).toBe(0);
    expect(await folder.runs()).toBe(1);
  });
});

/** `script` runs a command on a terminal of its own, and passes on what comes in. */
describe.skipIf(!havePeer('script', '--version'))('platformctl on a terminal', () => {
  const program = fileURLToPath(new URL(`../${COMMAND_FOLDER}/cli/platformctl.cjs`, import.meta.url));

  /** What is on the terminal when a line is over; `typed` is typed when the plugin asks for it. */
  async function onTerminal(folder: PluginFolder, typed: string): Promise<string> {
    const line = `'${process.execPath}' '${program}' api-versions --kubeconfig='${join(folder.path, 'config')}'`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let shown = '';
    let isTyped = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (isTyped || !shown.includes('Token? ')) return;
      isTyped = true;
      child.stdin.write(`${typed}\n`);
    });
    await new Promise((resolve) => child.once('close', resolve));
    return shown;
  }

  it('lets a plugin ask its user, on standard error and standard input', async () => {
    const { folder } = await sender('', 'IfAvailable');
    const print = `printf '{"apiVersion":"${V1}","kind":"ExecCredential","status":{"token":"%s"}}' "$answer"`;
    await folder.script('plugin', `test -t 0 || exit 7\nprintf 'Token? ' >&2\nread -r answer\n${print}`);
    expect(await onTerminal(folder, 'token-of-ann')).toMatch(/Token\? .*\napps\/v1\r?\n/s);
  });

  it('gives a plugin that never asks nothing to read', async () => {
    const { folder } = await sender('', 'Never');
    await folder.script('plugin', `test -t 0 && exit 7\ncat\nprintf '%s' '${credential({ token: 'token-of-ann' })}'`);
    expect(await onTerminal(folder, '')).toMatch(/^apps\/v1\r?$/m);
  });
});
