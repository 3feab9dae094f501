import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';
import { PeerNetwork } from './peer-network.ts';
import { makeDirectory, removeDirectory } from './temporary-directory.ts';

/** A port that nobody listens on right now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** One member of a cluster, running or not. */
class Member {
  readonly url: string;
  readonly #healthUrl: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  #output = '';

  constructor(url: string, healthUrl: string, args: readonly string[]) {
    this.url = url;
    this.#healthUrl = healthUrl;
    this.#args = args;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Nothing happens when it runs already. */
  start(): void {
    if (this.#process !== undefined) return;
    this.#output = '';
    this.#process = spawn('etcd', this.#args, {
      env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-4_000);
    });
  }

  /** Resolves when the process is gone; SIGKILL leaves it no time to say goodbye. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
      // A frozen process does not hear of anything else.
      if (signal !== 'SIGKILL') child.kill('SIGCONT');
    });
  }

  /** The process stays, with its connections, and does nothing until it is told to go on. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** As `freeze`; resolves when every thread of the process stands still, which the signal does not wait for. */
  async frozen(): Promise<void> {
    this.freeze();
    const tasks = `/proc/${this.#process?.pid}/task`;
    const isStopped = (task: string): boolean => / T /.test(readFileSync(`${tasks}/${task}/stat`, 'latin1'));
    const deadline = Date.now() + PATIENCE_MS;
    while (!readdirSync(tasks).every(isStopped)) {
      if (Date.now() > deadline) throw new Error('etcd does not stand still');
      await sleep(5);
    }
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Resolves when the member serves, which it does as one of a majority. */
  async ready(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline && this.#process?.exitCode === null) {
      const answer = await fetch(`${this.#healthUrl}/health`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => undefined,
      );
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`etcd did not become ready: ${this.#output}`);
  }
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** An etcd of one or three members on this machine, in directories that go when it is closed. */
export class Etcd {
  readonly members: readonly Member[];
  /** What its members reach each other through. */
  readonly network: PeerNetwork;
  /** Where the members keep their files. */
  readonly directory: string;

  private constructor(directory: string, members: readonly Member[], network: PeerNetwork) {
    this.directory = directory;
    this.members = members;
    this.network = network;
  }

  /** With `tls`, clients are served over HTTPS and must show a certificate. `flags` are more of etcd's. */
  static start(size: 1 | 3 = 1, tls?: TlsFiles, flags: Readonly<Record<string, string>> = {}): Promise<Etcd> {
    // Someone else may take a port that was free a moment ago.
    return Etcd.#attempt(size, flags, tls).catch(() => Etcd.#attempt(size, flags, tls));
  }

  static async #attempt(size: number, flags: Readonly<Record<string, string>>, tls?: TlsFiles): Promise<Etcd> {
    const directory = await makeDirectory();
    const ports: number[] = [];
    for (let i = 0; i < 3 * size; i++) ports.push(await freePort());
    const network = await PeerNetwork.before(ports.slice(size, 2 * size));
    const peers = ports.slice(0, size).map((_, i) => `m${i}=${network.url(i)}`);
    const members = ports.slice(0, size).map((port, i) => {
      const client = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
      const peer = `http://127.0.0.1:${ports[size + i]}`;
      const health = `http://127.0.0.1:${ports[2 * size + i]}`;
      const args = {
        name: `m${i}`,
        'data-dir': join(directory, `m${i}`),
        'listen-client-urls': client,
        'advertise-client-urls': client,
        'listen-peer-urls': peer,
        'initial-advertise-peer-urls': network.url(i),
        'initial-cluster': peers.join(','),
        'listen-metrics-urls': health,
        ...flags,
        ...(tls && {
          'cert-file': tls.cert,
          'key-file': tls.key,
          'trusted-ca-file': tls.ca,
          'client-cert-auth': 'true',
        }),
      };
      return new Member(
        client,
        health,
        Object.entries(args).map(([name, value]) => `--${name}=${value}`),
      );
    });
    const etcd = new Etcd(directory, members, network);
    for (const member of members) member.start();
    await Promise.all(members.map((member) => member.ready())).catch(async (error: unknown) => {
      await etcd.close();
      throw error;
    });
    return etcd;
  }

  get endpoints(): string[] {
    return this.members.map(({ url }) => url);
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop('SIGKILL')));
    await this.network.close();
    await removeDirectory(this.directory);
  }
}
