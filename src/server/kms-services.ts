import type { Logger } from '../observe/logging/logger.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { parseDuration } from '../settings/units.ts';
import { KmsPlugin } from '../storage/sealing/kms/kms-plugin.ts';
import { KmsProvider } from '../storage/sealing/kms/kms-provider.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a service that gives keys is. */
export interface KmsFields {
  readonly name: string;
  readonly endpoint: string;
  readonly timeoutMs: number;
}

const KNOWN = ['apiVersion', 'name', 'endpoint', 'timeout'];
const TIMEOUT_MS = 3_000;
const LONGEST_TIMEOUT_MS = 30_000;
/** What the system has room for. */
const LONGEST_SOCKET_PATH = 107;

/** The fields of an entry `kms`. Throws an Error that names the field that is wrong. */
export function readKmsFields(fields: Fields, at: string): KmsFields {
  const unknown = Object.keys(fields).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw new Error(`${at}.${unknown.slice(0, 100)}: unknown field`);
  const { apiVersion, name, endpoint, timeout } = fields;
  if (apiVersion !== 'v2') throw new Error(`${at}.apiVersion: v2 is wanted`);
  if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name)) {
    throw new Error(`${at}.name: letters, digits, dots, dashes and underlines are wanted`);
  }
  return { name, endpoint: readEndpoint(endpoint, at), timeoutMs: readTimeout(timeout, at) };
}

function readEndpoint(endpoint: unknown, at: string): string {
  const path = typeof endpoint === 'string' && endpoint.startsWith('unix:///') ? endpoint.slice('unix://'.length) : '';
  if (path === '') throw new Error(`${at}.endpoint: unix:///PATH is wanted`);
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    throw new Error(`${at}.endpoint: a path of at most ${LONGEST_SOCKET_PATH} bytes is wanted`);
  }
  return `unix://${encodeURI(path)}`;
}

function readTimeout(timeout: unknown, at: string): number {
  if (timeout === undefined || timeout === null) return TIMEOUT_MS;
  const milliseconds = typeof timeout === 'string' && timeout.length <= 50 ? parseDuration(timeout) : undefined;
  if (milliseconds === undefined || milliseconds <= 0 || milliseconds > LONGEST_TIMEOUT_MS) {
    throw new Error(`${at}.timeout: a duration of at most ${LONGEST_TIMEOUT_MS / 1000}s is wanted`);
  }
  return milliseconds;
}

interface Service {
  readonly provider: KmsProvider;
  /** It has answered for the first time, or has not. */
  readonly begun: Promise<void>;
}

/** The services that a configuration names. One that another version of it names again goes on as it is. */
export class KmsServices {
  readonly #runtime: Runtime;
  readonly #logger: Logger;
  readonly #services = new Map<string, Service>();
  /** Of those, the ones that the configuration names which is being read, or was read last. */
  #named = new Set<string>();
  readonly #followers: (() => void)[] = [];

  constructor({ runtime, logger }: { readonly runtime: Runtime; readonly logger: Logger }) {
    this.#runtime = runtime;
    this.#logger = logger;
  }

  /** Reads a configuration. When it makes no sense, what it named is as if it had not. */
  async changing<T>(read: () => Promise<T>): Promise<T> {
    const former = this.#named;
    this.#named = new Set();
    try {
      return await read();
    } catch (error) {
      this.#named = former;
      this.forgetOthers();
      throw error;
    }
  }

  /** The provider of a service, to be called while a configuration is read. */
  provide(fields: KmsFields): KmsProvider {
    const id = JSON.stringify(fields);
    const service = this.#services.get(id) ?? this.#begin(fields);
    this.#services.set(id, service);
    this.#named.add(id);
    return service.provider;
  }

  /** Settles when every service has answered for the first time, or has not in its time. */
  async settled(): Promise<void> {
    await Promise.all([...this.#services.values()].map(({ begun }) => begun));
  }

  /** Ends those that the configuration does not name any more. */
  forgetOthers(): void {
    for (const [id, { provider }] of this.#services) {
      if (this.#named.has(id)) continue;
      provider.close();
      this.#services.delete(id);
    }
  }

  problem(): string | undefined {
    const problems = [...this.#services.values()].flatMap(({ provider }) => provider.problem ?? []);
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  /** Calls back now and then, when keys that could not be had may be. */
  onKeys(callback: () => void): void {
    this.#followers.push(callback);
  }

  close(): void {
    this.#named = new Set();
    this.forgetOthers();
    this.#followers.length = 0;
  }

  #begin({ name, endpoint, timeoutMs }: KmsFields): Service {
    const [runtime, logger] = [this.#runtime, this.#logger];
    const provider = new KmsProvider({
      plugin: new KmsPlugin({ name, endpoint, timeoutMs, runtime }),
      runtime,
      onProblem: (error) => logger.error({ err: error, provider: name }, 'a KMS plugin is not well'),
      onRecovery: () => logger.info({ provider: name }, 'a KMS plugin is well again'),
      onWell: () => {
        for (const callback of this.#followers) callback();
      },
      onRotation: (keyId) =>
        logger.info({ provider: name, keyId }, 'objects are encrypted with another key of the KMS'),
    });
    return { provider, begun: provider.begin() };
  }
}
