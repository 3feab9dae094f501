import type { Runtime } from '../../../runtime/runtime.ts';
import { GrpcConnection } from '../../grpc/grpc.ts';
import {
  decodeEncryptedKey,
  decodePlaintext,
  decodeStatus,
  type EncryptedKey,
  encodeDecryptRequest,
  encodeEncryptRequest,
  type KmsStatus,
  NO_MESSAGE,
} from './kms-messages.ts';

export interface KmsPluginOptions {
  readonly name: string;
  /** `unix:///run/kms.sock` */
  readonly endpoint: string;
  /** How long the plugin may take for one answer. */
  readonly timeoutMs: number;
  readonly runtime: Runtime;
}

/** What a plugin may send at most: these stand with every object. */
const MOST_KEY_ID_BYTES = 1024;
const MOST_CIPHERTEXT_BYTES = 1024;
const MOST_ANNOTATION_BYTES = 32 * 1024;
const MOST_MESSAGE_BYTES = 64 * 1024;

const VERSIONS = ['v2', 'v2beta1'];
const SERVICE = '/v2.KeyManagementService';

/** A key management service behind a plugin that listens on a socket of this machine. Rejects with an Error that names it. */
export class KmsPlugin {
  readonly name: string;
  readonly #options: KmsPluginOptions;
  #connection: Promise<GrpcConnection> | undefined;
  #closed = false;

  constructor(options: KmsPluginOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Rejects as well when the plugin says that it is not well. */
  async status(): Promise<KmsStatus> {
    const status = decodeStatus(await this.#call('Status', NO_MESSAGE));
    const { version, healthz, keyId } = status;
    if (healthz !== 'ok') throw this.#problem(`says that it is not well: "${healthz.slice(0, 200)}"`);
    if (!VERSIONS.includes(version)) throw this.#problem(`speaks version "${version.slice(0, 50)}", not v2`);
    this.#demandKeyId(keyId);
    return status;
  }

  async encrypt(plaintext: Buffer): Promise<EncryptedKey> {
    const request = encodeEncryptRequest(plaintext, this.#options.runtime.uuid());
    const encrypted = decodeEncryptedKey(await this.#call('Encrypt', request));
    const { ciphertext, keyId, annotations } = encrypted;
    this.#demandKeyId(keyId);
    if (ciphertext.length === 0 || ciphertext.length > MOST_CIPHERTEXT_BYTES) {
      throw this.#problem(`has encrypted a key as ${ciphertext.length} bytes, not 1 to ${MOST_CIPHERTEXT_BYTES}`);
    }
    let bytes = 0;
    for (const [key, value] of annotations) bytes += Buffer.byteLength(key) + value.length;
    if (bytes > MOST_ANNOTATION_BYTES)
      throw this.#problem(`has annotations of more than ${MOST_ANNOTATION_BYTES} bytes`);
    return encrypted;
  }

  async decrypt(key: EncryptedKey): Promise<Buffer> {
    return decodePlaintext(await this.#call('Decrypt', encodeDecryptRequest(key, this.#options.runtime.uuid())));
  }

  close(): void {
    this.#closed = true;
    this.#connection?.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  async #call(method: string, request: Buffer): Promise<Buffer> {
    try {
      const connection = await this.#connected();
      const { timeoutMs } = this.#options;
      return await connection.unary(`${SERVICE}/${method}`, request, timeoutMs, MOST_MESSAGE_BYTES);
    } catch (error) {
      throw this.#problem(`could not be asked to ${method}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** One connection for all; another when it has ended. */
  async #connected(): Promise<GrpcConnection> {
    if (this.#closed) throw new Error('it is not used any more');
    const known = await this.#connection?.catch(() => undefined);
    if (known?.usable) return known;
    const { endpoint, runtime } = this.#options;
    this.#connection = GrpcConnection.connect(endpoint, {}, runtime);
    const connection = await this.#connection;
    if (this.#closed) connection.close();
    return connection;
  }

  #demandKeyId(keyId: string): void {
    const bytes = Buffer.byteLength(keyId);
    if (bytes === 0 || bytes > MOST_KEY_ID_BYTES) {
      throw this.#problem(`has a key id of ${bytes} bytes, not 1 to ${MOST_KEY_ID_BYTES}`);
    }
  }

  #problem(what: string): Error {
    return new Error(`the KMS provider "${this.name}" ${what}`);
  }
}
