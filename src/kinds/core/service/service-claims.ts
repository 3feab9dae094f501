import { internalBecause } from '../../../api/errors.ts';
import type { ServiceClaims } from '../../../registry/reservation.ts';
import type { Pool } from './pool.ts';
import { type Pools, type Supply, supplyOf } from './service-pools.ts';

/** What one owner holds of the pools, until it ends. */
export class Holds {
  readonly #owner: string;
  readonly #ends: (() => void)[] = [];

  constructor(owner: string) {
    this.#owner = owner;
  }

  add<V>(pool: Pool<V>, value: V): void {
    pool.hold(value, this.#owner);
    this.#ends.push(() => pool.letGo(value, this.#owner));
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** See `ServiceSupply.begin`. */
export class Claims implements ServiceClaims {
  readonly #pools: Pools;
  readonly #owner: string;
  readonly #dryRun: boolean;
  readonly #holds: Holds;

  constructor(pools: Pools, owner: string, dryRun: boolean) {
    this.#pools = pools;
    this.#owner = owner;
    this.#dryRun = dryRun;
    this.#holds = new Holds(owner);
  }

  address(wanted: string): string | undefined {
    const supply = supplyOf(this.#pools, wanted);
    if (!supply?.pool.has(wanted) && !this.#dryRun) {
      if (supply) supply.refused.static++;
      return `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${supply?.range}`;
    }
    return supply && this.#take(supply, wanted, 'provided IP is already allocated');
  }

  anyAddress(family: string): string {
    return this.#takeAny(this.#pools.addresses.get(family), 'a serviceIP');
  }

  port(wanted: number): string | undefined {
    const { range, pool } = this.#pools.ports;
    if (!pool.has(wanted) && !this.#dryRun) {
      return `provided port is not in the valid range. The range of valid ports is ${range}`;
    }
    return this.#take(this.#pools.ports, wanted, 'provided port is already allocated');
  }

  anyPort(): number {
    return this.#takeAny(this.#pools.ports, 'a nodePort');
  }

  end(): void {
    this.#holds.end();
  }

  #take<V>({ pool, given, refused }: Supply<V>, value: V, taken: string): string | undefined {
    if (pool.isTaken(value, this.#owner)) {
      refused.static++;
      return taken;
    }
    this.#holds.add(pool, value);
    if (!this.#dryRun) given.static++;
    return undefined;
  }

  #takeAny<V>(supply: Supply<V> | undefined, what: string): V {
    const value = supply?.pool.choose();
    if (!supply || value === undefined) {
      if (supply) supply.refused.dynamic++;
      throw internalBecause(`failed to allocate ${what}: range is full`);
    }
    this.#holds.add(supply.pool, value);
    if (!this.#dryRun) supply.given.dynamic++;
    return value;
  }
}
