import { parseAddress } from '../meta/addresses.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Where one server can be reached. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** Where clients inside the cluster find a server. */
export interface Whereabouts {
  /** By way of the service. */
  readonly clusterAddress: string;
  /** Where the service leads. */
  readonly port: number;
  /** In a fixed order, so that servers which know of each other write the same. */
  readonly places: readonly ServerAddress[];
}

/** An object as the server wants it to be; what it does not say is left as it is. */
export interface OwnObject {
  readonly group: string;
  readonly plural: string;
  readonly document: {
    readonly metadata: {
      readonly namespace: string;
      readonly name: string;
      readonly labels: Readonly<Record<string, string>>;
    };
    readonly [field: string]: unknown;
  };
}

const SERVICE_PORT = 443;
const PORT_NAME = 'https';

/** The objects by which clients inside the cluster find the server. */
export function ownObjects(vocabulary: Vocabulary, whereabouts: Whereabouts): readonly OwnObject[] {
  const { labels, groups, objects } = vocabulary;
  const name = objects.defaultService;
  const named = (own: Readonly<Record<string, string>>) => ({ namespace: 'default', name, labels: own });
  return [
    {
      group: '',
      plural: 'services',
      document: { metadata: named({ component: 'apiserver', provider: name }), spec: serviceSpec(whereabouts) },
    },
    {
      group: '',
      plural: 'endpoints',
      document: { metadata: named({ [labels.endpointSliceSkipMirror]: 'true' }), subsets: subsets(whereabouts) },
    },
    {
      group: groups.discovery,
      plural: 'endpointslices',
      document: { metadata: named({ [labels.serviceName]: name }), ...slice(whereabouts) },
    },
  ];
}

const serviceSpec = ({ clusterAddress, port }: Whereabouts) => ({
  type: 'ClusterIP',
  clusterIP: clusterAddress,
  ports: [{ name: PORT_NAME, protocol: 'TCP', port: SERVICE_PORT, targetPort: port }],
});

/** One for each port. */
function subsets({ places }: Whereabouts): readonly object[] {
  const ports = [...new Set(places.map(({ port }) => port))];
  return ports.map((port) => ({
    addresses: places.filter((place) => place.port === port).map(({ address }) => ({ ip: address })),
    ports: [{ name: PORT_NAME, port, protocol: 'TCP' }],
  }));
}

/** One slice has one port and one family: it leads to those who have the port of the service. */
function slice({ places, port }: Whereabouts) {
  const [first] = places;
  const family = first && parseAddress(first.address)?.family;
  const fitting = places.filter((place) => place.port === port && parseAddress(place.address)?.family === family);
  return {
    addressType: `IPv${family ?? 4}`,
    endpoints: fitting.map(({ address }) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: PORT_NAME, port, protocol: 'TCP' }],
  };
}
