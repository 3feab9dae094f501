import type { Runtime } from '../../../runtime/runtime.ts';
import type { SharedFormat } from '../../backend.ts';
import type { Cluster } from './cluster.ts';
import { FORMAT, FORMER_FORMAT, type Identity, identify, identityText } from './identity.ts';
import type { Layout } from './layout.ts';

/**
 * For how long everything is still written for servers of the former format after the last of them was seen: one that
 * had opened the data just before may not have said yet that it is there.
 */
const LINGER_MS = 180_000;

export interface FormatsOptions {
  readonly runtime: Runtime;
  readonly cluster: Cluster;
  readonly layout: Layout;
  readonly vocabulary: string;
  onError(error: unknown): void;
}

/**
 * Lets servers of two versions share an etcd. Data stays in the former format for as long as there are servers that read
 * no other. When the last has gone the data is marked with the new one, so that none of them opens it again, and for a
 * while everything is still written so that they could read it.
 */
export class Formats implements SharedFormat {
  readonly newest = FORMAT;
  readonly #options: FormatsOptions;
  #identity: Identity = { format: FORMAT, revision: 0 };
  /** On the clock that only goes forward. */
  #formerUntil = Number.NEGATIVE_INFINITY;
  #marking: Promise<void> | undefined;

  constructor(options: FormatsOptions) {
    this.#options = options;
  }

  /** Servers of the former format may be there: what is written must be readable for them too. */
  get writesFormer(): boolean {
    return this.#identity.format === FORMER_FORMAT || this.#options.runtime.monotonic() < this.#formerUntil;
  }

  /** Reads what the data is. Rejects with `StorageRefused`. */
  async open(): Promise<void> {
    const { cluster, layout, vocabulary, runtime } = this.#options;
    this.#identity = await identify(cluster, layout, vocabulary);
    const [entry] = (await cluster.range({ key: layout.upgraded })).entries;
    if (entry !== undefined) this.#lingerFor(Number(entry.value.toString()) + LINGER_MS - runtime.now());
  }

  agree(oldest: number): void {
    if (oldest < FORMAT) this.#lingerFor(LINGER_MS);
    else if (this.#identity.format === FORMER_FORMAT) this.#marking ??= this.#mark();
  }

  async close(): Promise<void> {
    await this.#marking;
  }

  #lingerFor(milliseconds: number): void {
    const until = this.#options.runtime.monotonic() + Math.min(milliseconds, LINGER_MS);
    this.#formerUntil = Math.max(this.#formerUntil, until);
  }

  /** What fails is tried again when servers agree the next time. */
  async #mark(): Promise<void> {
    const { cluster, layout, vocabulary, runtime, onError } = this.#options;
    const { revision } = this.#identity;
    try {
      await cluster.txn({
        compare: [{ key: layout.identity, revision }],
        success: [
          { put: layout.identity, value: identityText(FORMAT, vocabulary) },
          { put: layout.upgraded, value: Buffer.from(String(runtime.now())) },
        ],
        failure: [],
      });
      this.#lingerFor(LINGER_MS);
      this.#identity = await identify(cluster, layout, vocabulary);
    } catch (error) {
      onError(error);
    } finally {
      this.#marking = undefined;
    }
  }
}
