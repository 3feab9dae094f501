import { createHash } from 'node:crypto';
import type { ClientCertificate, Identity } from '../identity.ts';

/** Connections that were made with one certificate. */
export interface RetirablePool {
  /** Takes no more requests: those under way are answered, then the connections are closed. */
  retire(): void;
  /** Closes all connections, whatever is under way. */
  close(): void;
}

/** Identities of one program show few certificates at a time. */
const MOST_POOLS = 16;

/**
 * A connection shows its certificate once, when it is made, so each certificate has connections of its own. Of an identity
 * that shows another certificate than before, the former connections are retired.
 */
export class CertifiedPools<Pool extends RetirablePool> {
  readonly #make: (certificate: ClientCertificate | undefined) => Pool;
  /** By fingerprint of what they show; the most recently used one is the last. */
  readonly #pools = new Map<string, Pool>();
  readonly #shown = new WeakMap<Identity, string>();
  #isClosed = false;

  constructor(make: (certificate: ClientCertificate | undefined) => Pool) {
    this.#make = make;
  }

  /** The connections for the next request of an identity. */
  async of(identity: Identity): Promise<Pool> {
    const certificate = await identity.certificate?.();
    if (this.#isClosed) throw new Error('the client was closed');
    const key = fingerprint(certificate);
    const former = this.#shown.get(identity);
    this.#shown.set(identity, key);
    if (former !== undefined && former !== key) this.#retire(former);
    const pool = this.#pools.get(key) ?? this.#make(certificate);
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    const [oldest] = this.#pools.keys();
    if (oldest !== undefined && this.#pools.size > MOST_POOLS) this.#retire(oldest);
    return pool;
  }

  close(): void {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  /** Another identity that shows the same certificate gets new connections with its next request. */
  #retire(key: string): void {
    const pool = this.#pools.get(key);
    this.#pools.delete(key);
    pool?.retire();
  }
}

const fingerprint = (shown: ClientCertificate | undefined): string =>
  shown === undefined
    ? ''
    : createHash('sha256')
        .update(JSON.stringify([shown.certificate, shown.key]))
        .digest('base64');
