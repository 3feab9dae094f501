import { hash } from 'node:crypto';
import { BoundedCache, textBytes } from '../../../bounds/bounded-cache.ts';
import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import { KeyUnavailable, type Provider, Unsealable } from '../provider.ts';
import { openWith, SEED_BYTES, sealWith, unwrap, wrap } from './envelope.ts';
import { decodeEncryptedKey, type EncryptedKey, encodeEncryptedKey } from './kms-messages.ts';
import type { KmsPlugin } from './kms-plugin.ts';

export interface KmsProviderOptions {
  readonly plugin: KmsPlugin;
  readonly runtime: Runtime;
  /** Told when the plugin stops answering as it should, once. */
  onProblem(error: Error): void;
  /** Told when it does again, once. */
  onRecovery(): void;
  /** Told whenever it has answered as it should: keys that could not be had may be. */
  onWell(): void;
  /** Told that objects are encrypted with another key of the service from now on. */
  onRotation(keyId: string): void;
}

/** How often the plugin is asked how it is, while it is well and while it is not. */
const WELL_MS = 60_000;
const TROUBLED_MS = 10_000;
/** For how long a data key is written with after the plugin last said that its key is the current one. */
const WRITABLE_MS = 3 * WELL_MS;
const CACHE_BYTES = 1 << 20;
const KEEP_IDLE_MS = 24 * 3_600_000;
const MOST_KEY_IDS = 1000;

/** What is written with now. */
interface DataKey {
  readonly seed: Buffer;
  readonly header: Buffer;
  readonly keyId: string;
}

/**
 * Objects are sealed with a data key of this server, which the plugin has encrypted and which stands in that form with each
 * object. So a write asks nobody, and a read asks once for each data key. Every start, and every other key id that the plugin
 * reports, makes a new data key.
 */
export class KmsProvider implements Provider {
  readonly mark: string;
  readonly #options: KmsProviderOptions;
  #current: DataKey | undefined;
  /** On the monotonic clock: when the plugin last said that the current key is the current one. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #problem: Error | undefined;
  #timer: Timer | undefined;
  #closed = false;
  #looking: Promise<void> | undefined;
  readonly #seeds = new BoundedCache<string, Buffer>({
    name: 'kms-data-keys',
    capacity: CACHE_BYTES,
    keepIdleMs: KEEP_IDLE_MS,
    sizeOf: (fingerprint) => textBytes(fingerprint) + SEED_BYTES,
  });
  /** What is being asked for, by fingerprint. */
  readonly #asked = new Map<string, Promise<void>>();
  /** Why a data key cannot be had, where the plugin itself is well. */
  readonly #refused = new BoundedCache<string, string>({
    name: 'kms-refusals',
    capacity: CACHE_BYTES,
    sizeOf: (fingerprint, why) => textBytes(fingerprint) + textBytes(why),
  });
  /** Each id once: many objects share one. */
  readonly #keyIds = new Map<string, string>();

  constructor(options: KmsProviderOptions) {
    this.#options = options;
    this.mark = `kms:v2:${options.plugin.name}:`;
  }

  get name(): string {
    return this.#options.plugin.name;
  }

  /** What is wrong with the plugin; undefined while it is well. */
  get problem(): string | undefined {
    return this.#problem?.message;
  }

  get generation(): string {
    return this.#current?.keyId ?? '';
  }

  /** Asks the plugin for the first time, and from then on again and again. Settles when it has answered, or has not. */
  async begin(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#options.plugin.close();
  }

  seal(plain: Buffer, context: string): Buffer {
    const current = this.#current;
    if (!current) throw new KeyUnavailable(this.#missing('there is no data key yet'));
    if (this.#options.runtime.monotonic() - this.#confirmedAt > WRITABLE_MS) {
      throw new KeyUnavailable(this.#missing('the data key was not confirmed for too long'));
    }
    return wrap({ header: current.header, sealed: sealWith(current.seed, plain, context) });
  }

  open(bytes: Buffer, context: string): Buffer {
    const { header, sealed } = unwrap(bytes);
    const fingerprint = fingerprintOf(header);
    const seed = this.#seeds.get(fingerprint);
    if (seed) return openWith(seed, sealed, context);
    const refusal = this.#refused.get(fingerprint);
    if (refusal !== undefined) throw new KeyUnavailable(refusal);
    throw new KeyUnavailable(this.#missing('its data key has to be asked for'));
  }

  prepare(bytes: Buffer): Promise<void> | undefined {
    const header = headerIn(bytes);
    if (!header || this.#problem) return undefined;
    const fingerprint = fingerprintOf(header);
    if (this.#seeds.get(fingerprint) || this.#refused.get(fingerprint) !== undefined) return undefined;
    const asked = this.#asked.get(fingerprint) ?? this.#ask(fingerprint, Buffer.from(header));
    this.#asked.set(fingerprint, asked);
    return asked;
  }

  generationOf(bytes: Buffer): string {
    const header = headerIn(bytes);
    const key = header && readKey(header);
    return key ? this.#interned(key.keyId) : '';
  }

  #missing(why: string): string {
    return this.problem ?? `the KMS provider "${this.name}": ${why}`;
  }

  #interned(keyId: string): string {
    const known = this.#keyIds.get(keyId);
    if (known !== undefined) return known;
    if (this.#keyIds.size >= MOST_KEY_IDS) this.#keyIds.clear();
    this.#keyIds.set(keyId, keyId);
    return keyId;
  }

  async #ask(fingerprint: string, header: Buffer): Promise<void> {
    try {
      const key = readKey(header);
      if (!key) throw new Error('it is in no known form');
      const seed = await this.#options.plugin.decrypt(key);
      if (seed.length !== SEED_BYTES)
        throw new Error(`the KMS provider "${this.name}" gave no data key of this server`);
      this.#seeds.set(fingerprint, Buffer.from(seed));
      this.#refused.delete(fingerprint);
    } catch (error) {
      this.#refused.set(fingerprint, error instanceof Error ? error.message : String(error));
      // A plugin that is down is not asked about every object.
      if (!this.#closed) void this.#look();
    } finally {
      this.#asked.delete(fingerprint);
    }
  }

  #schedule(): void {
    if (this.#closed) return;
    const { runtime } = this.#options;
    this.#timer = runtime.after(this.#problem ? TROUBLED_MS : WELL_MS, () => {
      void this.#look().then(() => this.#schedule());
    });
  }

  /** Finds out how the plugin is and which key it has, and makes a data key where that is another. Never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { plugin, runtime, onProblem, onRecovery, onWell } = this.#options;
    try {
      const { keyId } = await plugin.status();
      if (this.#current?.keyId !== keyId) await this.#rotate();
      this.#confirmedAt = runtime.monotonic();
      const wasTroubled = this.#problem !== undefined;
      this.#problem = undefined;
      if (wasTroubled) this.#refused.clear();
      if (this.#closed) return;
      if (wasTroubled) onRecovery();
      onWell();
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (!this.#problem && !this.#closed) onProblem(problem);
      this.#problem = problem;
    }
  }

  async #rotate(): Promise<void> {
    const { plugin, runtime, onRotation } = this.#options;
    const seed = Buffer.from(runtime.bytes(SEED_BYTES));
    const encrypted = await plugin.encrypt(seed);
    const header = encodeEncryptedKey(encrypted);
    this.#seeds.set(fingerprintOf(header), seed);
    this.#current = { seed, header, keyId: this.#interned(encrypted.keyId) };
    onRotation(encrypted.keyId);
  }
}

const fingerprintOf = (header: Buffer): string => hash('sha256', header, 'base64');

/** Undefined where the bytes are no envelope. */
function headerIn(bytes: Buffer): Buffer | undefined {
  try {
    return unwrap(bytes).header;
  } catch (error) {
    if (error instanceof Unsealable) return undefined;
    throw error;
  }
}

/** Undefined where the header is in no known form: whoever has the key can read it, others may have changed it. */
function readKey(header: Buffer): EncryptedKey | undefined {
  try {
    return decodeEncryptedKey(header);
  } catch {
    return undefined;
  }
}
