import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { get as getPlainly } from 'node:http';
import { get as getSecurely } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPrivateKey, privateKeyPem } from '../src/pki/keys.ts';
import { TestAuthority } from './support/certificates.ts';
import { type Client, http1Client } from './support/client.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { Etcd } from './support/etcd.ts';
import { insist, patiently } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** The executables, as a test environment of controllers uses them that starts its plane itself: same order, same flags. */

const assets = fileURLToPath(new URL(`../${COMMAND_FOLDER}/stand-ins`, import.meta.url));
const CLIENT_GROUP = 'system:masters';

let directory: string;
const running = new Set<ChildProcess>();
const clients = new Set<Client>();

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  for (const client of clients) await client.close();
  clients.clear();
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(left.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  running.clear();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

class Started {
  readonly exit: Promise<{ code: number | null; stdout: string; stderr: string }>;
  readonly #child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(name: 'kube-apiserver' | 'etcd', args: readonly string[]) {
    // Nothing but where Node is: the environment of a test may be as bare.
    const child = spawn(join(assets, name), args, { cwd: directory, env: { PATH: process.env.PATH } });
    this.#child = child;
    running.add(child);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exit = once(child, 'close').then(([code]) => {
      running.delete(child);
      return { code, stdout: this.stdout, stderr: this.stderr };
    });
  }

  stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') {
    this.#child.kill(signal);
    return patiently('the end of a stand-in', this.exit);
  }
}

/** The status of a GET, certificates unseen: that is how readiness is asked for. */
function statusOf(url: string): Promise<number> {
  const get = url.startsWith('https:') ? getSecurely : getPlainly;
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    }).once('error', reject);
  });
}

const untilHealthy = (url: string): Promise<void> => insist(async () => expect(await statusOf(url)).toBe(200));

/** What is looked for in the help text before a flag is passed. */
const hasFlag = (name: 'kube-apiserver' | 'etcd', flag: string): boolean => {
  const { status, stdout, stderr } = spawnSync(join(assets, name), ['--help'], { encoding: 'utf8' });
  expect(status).toBe(0);
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test(stdout + stderr);
};

async function startEtcdStandIn(): Promise<{ etcd: Started; url: string }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const flags = [
    `--advertise-client-urls=${url}`,
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
    '--unsafe-no-fsync=true',
  ];
  const etcd = new Started('etcd', flags);
  await untilHealthy(`${url}/health`);
  return { etcd, url };
}

/** Certificates as the test environment puts them into the folder before the server starts. */
async function certificates() {
  const folder = join(directory, 'certs');
  await mkdir(folder, { recursive: true });
  const [serving, users, accounts] = ['serving', 'users', 'accounts'].map((name) => new TestAuthority(name));
  if (!serving || !users || !accounts) throw new Error('no authorities');
  const { cert, key } = serving.server();
  await writeFile(join(folder, 'apiserver.crt'), cert);
  await writeFile(join(folder, 'apiserver.key'), key);
  await writeFile(join(folder, 'sa-signer.crt'), accounts.pem);
  await writeFile(join(folder, 'sa-signer.key'), accounts.keyPem);
  await writeFile(join(folder, 'client-cert-auth-ca.crt'), users.pem, { mode: 0o600 });
  return { folder, serving, users };
}

interface Plane {
  readonly server: Started;
  readonly url: string;
  userNamed(commonName: string, ...organizations: string[]): Client;
}

async function startPlane(etcdUrl: string, ...more: string[]): Promise<Plane> {
  const { folder, serving, users } = await certificates();
  const url = `https://127.0.0.1:${await freePort()}`;
  const server = new Started('kube-apiserver', [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--client-ca-file=${join(folder, 'client-cert-auth-ca.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${new URL(url).port}`,
    `--service-account-issuer=${url}/`,
    `--service-account-key-file=${join(folder, 'sa-signer.crt')}`,
    `--service-account-signing-key-file=${join(folder, 'sa-signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    ...more,
  ]);
  await untilHealthy(`${url}/healthz`);
  await untilHealthy(`${url}/readyz`);
  const userNamed = (commonName: string, ...organizations: string[]): Client => {
    const identity = users.client({ commonName, organizations });
    const client = http1Client({ server: url, ca: serving.pem, insecureSkipTlsVerify: false, ...identity });
    clients.add(client);
    return client;
  };
  return { server, url, userNamed };
}

describe('a test environment that starts its plane itself', () => {
  it('finds the flags that it asks for, and not those that are gone', () => {
    expect(hasFlag('etcd', 'unsafe-no-fsync')).toBe(true);
    expect(hasFlag('kube-apiserver', 'insecure-port')).toBe(false);
    expect(hasFlag('kube-apiserver', 'secure-port')).toBe(true);
  });

  it('gets a plane with its certificates and its users, and ends it', async () => {
    const { etcd, url: etcdUrl } = await startEtcdStandIn();
    const { server, userNamed } = await startPlane(etcdUrl);
    const admin = userNamed('admin', CLIENT_GROUP);
    const made = await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'mine' } });
    expect(made.status).toBe(201);
    const pod = {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] },
    };
    expect((await admin.request('POST', '/api/v1/namespaces/mine/pods', pod)).status).toBe(201);
    const nobody = userNamed('nobody');
    expect((await nobody.request('GET', '/api/v1/namespaces/mine/pods')).status).toBe(403);
    const rbac = await admin.request('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin');
    expect(rbac.status).toBe(200);
    // The account's token is signed with the key that was given.
    await insist(async () =>
      expect((await admin.request('GET', '/api/v1/namespaces/mine/serviceaccounts/default')).status).toBe(200),
    );
    const token = await admin.request('POST', '/api/v1/namespaces/mine/serviceaccounts/default/token', { spec: {} });
    expect(token.status).toBe(201);
    expect(await server.stop()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('a stand-in') });
    expect(await etcd.stop()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('keeps no objects'),
    });
    expect((await readdir(directory)).sort()).toEqual(['certs']);
  });

  it('can start again on the same ports, and with the older list of flags', async () => {
    const { url } = await startEtcdStandIn();
    const first = await startPlane(url, '--advertise-address=127.0.0.1');
    await first.server.stop('SIGINT');
    const port = new URL(first.url).port;
    const again = new Started('kube-apiserver', [
      '--advertise-address=127.0.0.1',
      `--etcd-servers=${url}`,
      `--cert-dir=${join(directory, 'certs')}`,
      '--insecure-port=0',
      `--secure-port=${port}`,
      '--disable-admission-plugins=ServiceAccount',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
    ]);
    await untilHealthy(`${first.url}/healthz`);
    expect(again.stderr).toContain('--insecure-port has no effect');
  });
});

describe('the API server', () => {
  it('puts a certificate of its own where there is none', async () => {
    const { url: etcdUrl } = await startEtcdStandIn();
    const port = await freePort();
    const folder = join(directory, 'made');
    const server = new Started('kube-apiserver', [
      `--etcd-servers=${etcdUrl}`,
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
    ]);
    await untilHealthy(`https://127.0.0.1:${port}/healthz`);
    expect((await readdir(folder)).sort()).toEqual(['apiserver.crt', 'apiserver.key']);
    expect((await stat(join(folder, 'apiserver.key'))).mode & 0o777).toBe(0o600);
    const certificate = new X509Certificate(readFileSync(join(folder, 'apiserver.crt')));
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect((await server.stop()).code).toBe(0);
  });

  it('refuses half of a certificate', async () => {
    await writeFile(join(directory, 'apiserver.key'), privateKeyPem(newPrivateKey()));
    const { code, stderr } = await new Started('kube-apiserver', ['--secure-port=0', `--cert-dir=${directory}`]).exit;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('must have both or none') });
  });

  it('says which release it is of', async () => {
    const { code, stdout } = await new Started('kube-apiserver', ['--version']).exit;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Kubernetes v1\.25\.\d+/) });
  });

  it.skipIf(!havePeer('etcd', '--version'))('uses an etcd that is one', async () => {
    const etcd = await Etcd.start();
    try {
      const { server, userNamed } = await startPlane(etcd.endpoints[0] ?? '');
      const admin = userNamed('admin', CLIENT_GROUP);
      expect((await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'kept' } })).status).toBe(201);
      await server.stop();
      const again = await startPlane(etcd.endpoints[0] ?? '');
      const found = await again.userNamed('admin', CLIENT_GROUP).request('GET', '/api/v1/namespaces/kept');
      expect(found.status).toBe(200);
    } finally {
      await etcd.close();
    }
  });
});

describe('etcd', () => {
  it('says what it is, and that it keeps nothing', async () => {
    const { url } = await startEtcdStandIn();
    const answer = async (path: string) => {
      const response = await fetch(url + path);
      return [response.status, await response.text()];
    };
    expect(await answer('/health')).toEqual([200, '{"health":"true","reason":""}']);
    expect(await answer('/version')).toEqual([200, expect.stringContaining('"etcdserver":"3.')]);
    expect(await answer('/v3/kv/range')).toEqual([404, expect.stringContaining('the API server keeps objects itself')]);
  });

  it.each([
    [['--listen-client-urls=https://127.0.0.1:1'], 'speaks nothing else'],
    [['--frobnicate=1'], 'frobnicate'],
    [['--listen-client-urls=http://203.0.113.1:1', '--listen-peer-urls='], 'cannot listen on 203.0.113.1:1'],
  ])('refuses %j', async (args, reason) => {
    const { code, stderr } = await new Started('etcd', args).exit;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) });
  });
});
