import { type AddressRange, extentOf, parseAddress } from '../../../meta/addresses.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { Pool } from './pool.ts';
import { addressRow, formatRange, type PortRange, portRow, type ServiceRanges, setAside } from './service-ranges.ts';

/** A pool, and its range as it is told to those who asked for something else. */
export interface Supply<V> {
  readonly range: string;
  readonly pool: Pool<V>;
  readonly given: Tally;
  readonly refused: Tally;
}

/** How often something was asked for by name, and how often anything would do. */
export interface Tally {
  static: number;
  dynamic: number;
}

const noTally = (): Tally => ({ static: 0, dynamic: 0 });

export interface Pools {
  /** By family. */
  readonly addresses: ReadonlyMap<string, Supply<string>>;
  readonly ports: Supply<number>;
}

export const makePools = ({ addresses, ports }: ServiceRanges, runtime: Runtime): Pools => ({
  addresses: new Map(addresses.map((range, at) => [familyOf(range), addressPool(range, at === 0, runtime)])),
  ports: portPool(ports, runtime),
});

const familyOf = ({ address }: AddressRange): string => `IPv${address.family}`;

const ADDRESSES_ASIDE = { share: 16, most: 256 };
const PORTS_ASIDE = { share: 32, most: 128 };

/** The first address of the first range is the server's own. */
function addressPool(range: AddressRange, isFirst: boolean, runtime: Runtime): Supply<string> {
  const aside = setAside(Number(extentOf(range).size), ADDRESSES_ASIDE.share, ADDRESSES_ASIDE.most);
  const pool = new Pool({ row: addressRow(range), runtime, setAside: aside, spared: isFirst ? 1 : 0 });
  return { range: formatRange(range), pool, given: noTally(), refused: noTally() };
}

function portPool(range: PortRange, runtime: Runtime): Supply<number> {
  const row = portRow(range);
  const aside = setAside(row.size, PORTS_ASIDE.share, PORTS_ASIDE.most);
  return {
    range: `${range.first}-${range.last}`,
    pool: new Pool({ row, runtime, setAside: aside }),
    given: noTally(),
    refused: noTally(),
  };
}

/** Where an address belongs by its family, whether it is in range or not. */
export const supplyOf = ({ addresses }: Pools, address: string): Supply<string> | undefined =>
  addresses.get(`IPv${parseAddress(address)?.family}`);
