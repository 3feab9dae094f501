import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patiently } from './patience.ts';

const PROGRAM = fileURLToPath(new URL('./kms-plugin-program.mjs', import.meta.url));

const newKey = (): string => randomBytes(32).toString('base64');

/** A KMS plugin in a process of its own, which can be killed and started again, and whose keys can be replaced. */
export class KmsPluginProcess {
  readonly #directory: string;
  readonly #keys: Record<string, string> = {};
  #current = '';
  #healthz = 'ok';
  #process: ChildProcess | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  static async start(directory: string): Promise<KmsPluginProcess> {
    const plugin = new KmsPluginProcess(directory);
    await plugin.useKey('k1');
    await plugin.start();
    return plugin;
  }

  get endpoint(): string {
    return `unix://${this.#socket}`;
  }

  get #socket(): string {
    return join(this.#directory, 'kms.sock');
  }

  get #keysFile(): string {
    return join(this.#directory, 'kms-keys.json');
  }

  async start(): Promise<void> {
    await rm(this.#socket, { force: true });
    const child = spawn(process.execPath, [PROGRAM, this.#socket, this.#keysFile], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process = child;
    if (child.stdout) await patiently('the plugin', once(child.stdout, 'data'));
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** From now on this key encrypts; it is made when there is none. */
  useKey(id: string): Promise<void> {
    this.#keys[id] ??= newKey();
    this.#current = id;
    return this.#write();
  }

  loseKey(id: string): Promise<void> {
    delete this.#keys[id];
    return this.#write();
  }

  /** What it says about itself from now on. */
  say(healthz: string): Promise<void> {
    this.#healthz = healthz;
    return this.#write();
  }

  #write(): Promise<void> {
    const state = { current: this.#current, healthz: this.#healthz, keys: this.#keys };
    return writeFile(this.#keysFile, JSON.stringify(state));
  }
}
