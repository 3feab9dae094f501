import { integer, list, optionalText } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { type Generation, generator, type MadeObject, required } from './generating.ts';

const tcp = list('tcp', 'PORT[:TARGET]', [], 'a port, and the port of the pods where it is another');

interface ServicePort {
  readonly name: string;
  readonly protocol: 'TCP';
  readonly port: number;
  readonly targetPort: number | string;
}

function portOf(given: string): ServicePort {
  const [from = '', to] = given.split(':');
  const port = /^\d+$/.test(from) ? Number(from) : 0;
  if (port < 1 || port > 65535 || given.split(':').length > 2) {
    throw new CommandError(`invalid port "${given}", expected a number from 1 to 65535, as in 80 or 80:8080`);
  }
  const targetPort = to === undefined ? port : /^\d+$/.test(to) ? Number(to) : to;
  return { name: to === undefined ? from : `${from}-${to}`, protocol: 'TCP', port, targetPort };
}

/** `fields` come after the selector, in the order of the original. */
function serviceOf(
  { name, meta }: Pick<Generation<never>, 'name' | 'meta'>,
  ports: readonly object[],
  fields: Readonly<Record<string, unknown>>,
): MadeObject & object {
  const labels = { app: name };
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: meta({ labels }),
    spec: { ...(ports.length > 0 ? { ports } : {}), selector: labels, ...fields },
    status: { loadBalancer: {} },
  } as MadeObject;
}

export const createClusterIpService = generator({
  usage: 'create service clusterip NAME',
  about: 'Creates a service with an address inside of the cluster; with --clusterip=None, with none.',
  failing: 'failed to create ClusterIP service:',
  flags: { tcp, clusterIp: optionalText('clusterip', 'ADDRESS', 'the address, or None') },
  make(line) {
    const { clusterIp, tcp: ports } = line.flags;
    if (clusterIp !== 'None') required('tcp', ports);
    if (clusterIp === 'None' && ports.length === 0)
      return serviceOf(line, [], { clusterIP: 'None', type: 'ClusterIP' });
    const address = clusterIp === undefined ? {} : { clusterIP: clusterIp };
    return serviceOf(line, ports.map(portOf), { ...address, type: 'ClusterIP' });
  },
});

export const createNodePortService = generator({
  usage: 'create service nodeport NAME',
  about: 'Creates a service that every node has a port for.',
  failing: 'failed to create NodePort service:',
  flags: { tcp, nodePort: integer('node-port', 0, 65535, 0, 'port of the nodes; chosen by the plane where it is 0') },
  make(line) {
    const { nodePort } = line.flags;
    const ports = required('tcp', line.flags.tcp).map(portOf);
    return serviceOf(
      line,
      ports.map((port) => (nodePort === 0 ? port : { ...port, nodePort })),
      { type: 'NodePort' },
    );
  },
});

export const createLoadBalancerService = generator({
  usage: 'create service loadbalancer NAME',
  about: 'Creates a service behind a load balancer.',
  failing: 'failed to create LoadBalancer service:',
  flags: { tcp },
  make: (line) => serviceOf(line, required('tcp', line.flags.tcp).map(portOf), { type: 'LoadBalancer' }),
});

export const createExternalNameService = generator({
  usage: 'create service externalname NAME --external-name=NAME',
  about: 'Creates a service that is another name of something outside.',
  failing: 'failed to create ExternalName service:',
  flags: { tcp, externalName: optionalText('external-name', 'NAME', 'name that the service stands for') },
  make(line) {
    const externalName = required('external-name', line.flags.externalName);
    return serviceOf(line, line.flags.tcp.map(portOf), { type: 'ExternalName', externalName });
  },
});
