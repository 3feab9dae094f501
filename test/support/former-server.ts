import { readFileSync } from 'node:fs';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { Cluster } from '../../src/storage/backends/etcd/cluster.ts';
import type { Operation } from '../../src/storage/backends/etcd/messages.ts';

/** What one transaction changed, as it was recorded: bytes in base64. */
type Recorded = readonly { readonly key: string; readonly value?: string; readonly removed?: true }[];

const HEAD = '/registry/.store/head';
const IDENTITY = '/registry/.store/identity';
/** A time with a fraction of six digits, which another of the same length can take the place of. */
const RENEWED = /"renewTime":"[^"]+"/;

/**
 * Does to an etcd what a server of format 1 did that was recorded: it made two config maps, `kept` and `gone`, changed the
 * one, deleted the other, and said by its Lease that it is there.
 */
export class FormerServer {
  readonly #cluster: Cluster;
  readonly #recorded: readonly Recorded[];

  constructor(endpoints: readonly string[]) {
    this.#cluster = new Cluster({ runtime: systemRuntime, endpoints });
    const file = new URL('../recordings/etcd-format-1.json', import.meta.url);
    this.#recorded = JSON.parse(readFileSync(file, 'utf8'));
  }

  /** Makes everything anew that was recorded, in its transactions. */
  async replay(): Promise<void> {
    for (const changes of this.#recorded) await this.#make(changes);
    await this.renew();
  }

  /** Says once more that it is there. */
  async renew(at = Date.now()): Promise<void> {
    const changes = this.#recorded.find(([, change]) => change?.key.includes('/leases/')) ?? [];
    const time = new Date(at).toISOString().replace('Z', '000Z');
    await this.#make(
      changes.map(({ key, value = '' }) => {
        const renewed = Buffer.from(value, 'base64').toString('latin1').replace(RENEWED, `"renewTime":"${time}"`);
        return { key, value: Buffer.from(renewed, 'latin1').toString('base64') };
      }),
    );
  }

  /** Its own `kept` again, as it was at first. */
  async putBack(): Promise<void> {
    await this.#make(this.#recorded.find(([, change]) => change?.key.endsWith('/kept')) ?? []);
  }

  async removeKept(): Promise<void> {
    const [, change] = this.#recorded.find(([, change]) => change?.key.endsWith('/kept')) ?? [];
    if (change?.value === undefined) throw new Error('nothing was recorded');
    await this.#make([
      { key: HEAD, value: change.value },
      { key: change.key, removed: true },
    ]);
  }

  /** The revision by which it knows where etcd stands. */
  async head(): Promise<number> {
    return (await this.#cluster.range({ key: HEAD })).entries[0]?.revision ?? 0;
  }

  /** What the head holds: of a deletion, what that left. */
  async left(): Promise<string> {
    return (await this.#cluster.range({ key: HEAD })).entries[0]?.value.toString('latin1') ?? '';
  }

  async identity(): Promise<string> {
    return (await this.#cluster.range({ key: IDENTITY })).entries[0]?.value.toString() ?? '';
  }

  close(): void {
    this.#cluster.close();
  }

  async #make(changes: Recorded): Promise<void> {
    const success = changes.map(({ key, value = '', removed }): Operation => {
      return removed ? { remove: key } : { put: key, value: Buffer.from(value, 'base64') };
    });
    await this.#cluster.txn({ compare: [], success, failure: [] });
  }
}
