import { hash } from 'node:crypto';
import type { Runtime } from '../runtime/runtime.ts';
import { Outbound, type OutboundTrust } from './outbound.ts';

/** With how many sorts of trust connections are kept open; far more than are in use at any moment. */
const MOST_KEPT = 256;

/** Connections to many services, shared by all who trust and show the same. */
export class OutboundPool {
  readonly #runtime: Runtime;
  /** The most recently used one is the last. */
  readonly #kept = new Map<string, Outbound>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  with(trust: OutboundTrust): Outbound {
    const { ca, clientCertificate, clientKey, insecureSkipTlsVerify, tlsServerName } = trust;
    const all = JSON.stringify([ca, clientCertificate, clientKey, insecureSkipTlsVerify, tlsServerName]);
    const key = hash('sha256', all, 'base64');
    const outbound = this.#kept.get(key) ?? new Outbound(trust, this.#runtime);
    this.#kept.delete(key);
    this.#kept.set(key, outbound);
    this.#forgetOldest();
    return outbound;
  }

  close(): void {
    for (const outbound of this.#kept.values()) outbound.close();
    this.#kept.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept;
    if (!oldest || this.#kept.size <= MOST_KEPT) return;
    this.#kept.delete(oldest[0]);
    oldest[1].close();
  }
}
