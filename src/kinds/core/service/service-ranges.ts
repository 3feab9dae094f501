import {
  type AddressRange,
  extentOf,
  formatAddress,
  isOnePerFamily,
  parseAddress,
  parseAddressRange,
} from '../../../meta/addresses.ts';
import type { Row } from './pool.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** What the server may give to services. */
export interface ServiceRanges {
  /** The default family first. */
  readonly addresses: readonly AddressRange[];
  readonly ports: PortRange;
}

const FEWEST_ADDRESSES = 8n;
const MOST_ADDRESSES = 1n << 20n;
const LAST_PORT = 65_535;

/**
 * `10.0.0.0/24`, `fd00::/112`, or two with a comma, one of each family; ports as `first-last`, as `first+more` or as a
 * single one. Throws what to tell the operator.
 */
export const parseServiceRanges = (addresses: string, ports: string): ServiceRanges => ({
  addresses: parseAddresses(addresses),
  ports: parsePorts(ports),
});

function parseAddresses(text: string): AddressRange[] {
  const ranges = text.split(',').map((part) => {
    const range = parseAddressRange(part.trim());
    if (!range) throw new Error(`the service address range must be like 10.0.0.0/24, not "${part}"`);
    const { size } = extentOf(range);
    if (size < FEWEST_ADDRESSES || size > MOST_ADDRESSES) {
      throw new Error(
        `the service address range ${part} must have from ${FEWEST_ADDRESSES} to ${MOST_ADDRESSES} addresses`,
      );
    }
    return range;
  });
  if (!isOnePerFamily(ranges.map(({ address }) => address))) {
    throw new Error(`the service address ranges ${text} must be of different IP families`);
  }
  return ranges;
}

function parsePorts(text: string): PortRange {
  const [, start = '', sign, end = ''] = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const first = Number(start);
  const last = sign === undefined ? first : sign === '-' ? Number(end) : first + Number(end);
  if (start === '' || first < 1 || last < first || last > LAST_PORT) {
    throw new Error(`the service node port range must be like 30000-32767, not "${text}"`);
  }
  return { first, last };
}

export const formatRange = ({ address, length }: AddressRange): string =>
  `${formatAddress(extentOf({ address, length }).first)}/${length}`;

/** The first address names the network and, among those of IPv4, the last one everybody: no one gets these. */
export function addressRow(range: AddressRange): Row<string> {
  const { first, size } = extentOf(range);
  const { family } = first;
  const start = first.value + 1n;
  const count = Number(size) - (family === 4 ? 2 : 1);
  return {
    size: count,
    at: (place) => formatAddress({ family, value: start + BigInt(place) }),
    placeOf(text) {
      const address = parseAddress(text);
      if (address?.family !== family) return undefined;
      const place = address.value - start;
      return place >= 0n && place < BigInt(count) ? Number(place) : undefined;
    },
  };
}

/** The first address that anyone can have. */
export const firstAddress = ({ addresses: [range] }: ServiceRanges): string => (range ? addressRow(range).at(0) : '');

export const portRow = ({ first, last }: PortRange): Row<number> => ({
  size: last - first + 1,
  at: (place) => first + place,
  placeOf: (port) => (port >= first && port <= last ? port - first : undefined),
});

/** How much of a range is set aside for those who ask by name: a share of it, within bounds, nothing of a small one. */
export const setAside = (size: number, share: number, most: number): number =>
  size <= FEWEST_SET_ASIDE ? 0 : Math.min(Math.max(FEWEST_SET_ASIDE, Math.floor(size / share)), most);

const FEWEST_SET_ASIDE = 16;
