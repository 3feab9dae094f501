import { parseAddress } from '../kinds/addresses.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** Where the server is. */
export interface Whereabouts {
  /** Inside the cluster, by way of its service. */
  readonly clusterAddress: string;
  /** Where it listens; undefined when others cannot reach it. */
  readonly address: string | undefined;
  readonly port: number;
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

function subsets({ address, port }: Whereabouts): readonly object[] {
  if (address === undefined) return [];
  return [{ addresses: [{ ip: address }], ports: [{ name: PORT_NAME, port, protocol: 'TCP' }] }];
}

function slice({ address = '', port }: Whereabouts) {
  const endpoint = { addresses: [address], conditions: { ready: true } };
  return {
    addressType: `IPv${parseAddress(address)?.family ?? 4}`,
    endpoints: address === '' ? [] : [endpoint],
    ports: [{ name: PORT_NAME, port, protocol: 'TCP' }],
  };
}
