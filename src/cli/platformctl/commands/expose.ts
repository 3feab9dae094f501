import type { AnyObject } from '../../../client/plane-client.ts';
import { isObject, type JsonObject } from '../../../schema/json-object.ts';
import { list, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { short } from '../frame/flags.ts';
import { FILE_FLAGS, liveObject, type SelectedObject, selectObjects } from '../resources/selection.ts';
import { createMade, GENERATOR_FLAGS, type MadeObject } from './create/generating.ts';
import { labelPairs } from './create/label-pairs.ts';
import { OVERRIDE_FLAGS, overridden } from './create/overrides.ts';

/** Kinds whose pods a service can be for. */
const EXPOSED: ReadonlySet<string> = new Set(['Deployment', 'Pod', 'ReplicaSet', 'ReplicationController', 'Service']);
const PROTOCOLS: ReadonlySet<string> = new Set(['TCP', 'UDP', 'SCTP']);

interface Exposed extends AnyObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly template?: { readonly spec?: { readonly containers?: readonly PortHolder[] } };
    readonly containers?: readonly PortHolder[];
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
  };
}

interface PortHolder {
  readonly ports?: readonly { readonly containerPort: number; readonly protocol?: string }[];
}

export const expose = command({
  usage:
    'expose (-f FILE | TYPE NAME) [--port=PORT] [--protocol=TCP|UDP|SCTP] [--target-port=PORT] [--name=NAME] [--type=TYPE]',
  about: 'Creates a service for the pods of a deployment, a replica set, a pod, or another service.',
  examples: [['Port 80, which is 8080 of the pods', 'expose deployment web --port=80 --target-port=8080']],
  flags: {
    ...GENERATOR_FLAGS,
    ...FILE_FLAGS,
    ...OVERRIDE_FLAGS,
    port: list('port', 'PORTS', [], 'ports of the service; those of the object where it is absent'),
    targetPort: optionalText('target-port', 'PORT', 'number or name of the port of the pods'),
    protocol: optionalText('protocol', 'TCP|UDP|SCTP', 'protocol of the ports'),
    name: optionalText('name', 'NAME', 'name of the service; that of the object where it is absent'),
    type: optionalText('type', 'TYPE', 'ClusterIP, NodePort, LoadBalancer or ExternalName'),
    labels: short(
      'l',
      optionalText('labels', 'LABELS', 'labels of the service; those of the object where it is absent'),
    ),
    selector: optionalText(
      'selector',
      'LABELS',
      'labels of the pods; those that the object selects where it is absent',
    ),
    externalIp: list('external-ip', 'ADDRESSES', [], 'more addresses that the service accepts'),
    loadBalancerIp: optionalText('load-balancer-ip', 'ADDRESS', 'address of the load balancer'),
    sessionAffinity: optionalText('session-affinity', 'None|ClientIP', 'whether a client stays with a pod'),
    clusterIp: optionalText('cluster-ip', 'ADDRESS', 'address of the service, or None'),
  },
  async run({ args, flags, session }) {
    const objects = await selectObjects(session, {
      filename: flags.filename,
      recursive: flags.recursive,
      kustomize: flags.kustomize,
      args,
    });
    const client = await session.client();
    const { isGiven } = await session.namespace();
    const failures: unknown[] = [];
    for (const object of objects) {
      try {
        if (!EXPOSED.has(object.resource.kind)) throw new CommandError(`cannot expose a ${object.resource.kind}`);
        const live = await liveObject(client, object);
        const service = serviceFor(live as Exposed, object, flags, isGiven);
        await createMade(session, overridden(service, flags), flags, 'platformctl-expose', 'exposed');
      } catch (error) {
        failures.push(error);
      }
    }
    throwFailures(failures);
  },
});

interface ExposeFlags {
  readonly port: readonly string[];
  readonly targetPort: string | undefined;
  readonly protocol: string | undefined;
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly labels: string | undefined;
  readonly selector: string | undefined;
  readonly externalIp: readonly string[];
  readonly loadBalancerIp: string | undefined;
  readonly sessionAffinity: string | undefined;
  readonly clusterIp: string | undefined;
}

function serviceFor(
  object: Exposed,
  { namespace, name }: SelectedObject,
  flags: ExposeFlags,
  isNamespaceGiven: boolean,
): MadeObject {
  const ports = portsOf(object, flags);
  if (ports.length === 0 && flags.clusterIp !== 'None') {
    throw new CommandError("couldn't find port via --port flag or introspection");
  }
  const labels = flags.labels === undefined ? (object.metadata.labels ?? {}) : labelPairs(flags.labels);
  const selector = flags.selector === undefined ? selectorOf(object) : labelPairs(flags.selector);
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: (flags.name ?? name).slice(0, 63),
      ...(isNamespaceGiven ? { namespace } : {}),
      creationTimestamp: null,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    },
    spec: {
      ...(ports.length > 0 ? { ports } : {}),
      selector,
      ...(flags.clusterIp === undefined ? {} : { clusterIP: flags.clusterIp }),
      ...(flags.type === undefined ? {} : { type: flags.type }),
      ...(flags.externalIp.length > 0 ? { externalIPs: flags.externalIp } : {}),
      ...(flags.sessionAffinity === undefined ? {} : { sessionAffinity: flags.sessionAffinity }),
      ...(flags.loadBalancerIp === undefined ? {} : { loadBalancerIP: flags.loadBalancerIp }),
    },
    status: { loadBalancer: {} },
  } as MadeObject;
}

/** Labels that pods of the object have. */
function selectorOf({ kind, metadata, spec }: Exposed): Readonly<Record<string, unknown>> {
  if (kind === 'Pod') {
    if (Object.keys(metadata.labels ?? {}).length === 0) {
      throw new CommandError(
        "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed",
      );
    }
    return metadata.labels ?? {};
  }
  const { matchLabels, matchExpressions } = (spec?.selector ?? {}) as JsonObject;
  if (Array.isArray(matchExpressions) && matchExpressions.length > 0) {
    throw new CommandError(
      "couldn't retrieve selectors via --selector flag or introspection: couldn't convert expressions to map-based selector format",
    );
  }
  const found =
    kind === 'Service' || kind === 'ReplicationController' ? spec?.selector : isObject(matchLabels) ? matchLabels : {};
  if (Object.keys(found ?? {}).length === 0)
    throw new CommandError("couldn't retrieve selectors via --selector flag or introspection: no selector");
  return found ?? {};
}

function portsOf(object: Exposed, { port, targetPort, protocol }: ExposeFlags): object[] {
  if (protocol !== undefined && !PROTOCOLS.has(protocol.toUpperCase()))
    throw new CommandError(`invalid protocol ${protocol}`);
  const found = port.length > 0 ? port.map((one) => ({ port: portNumber(one), protocol })) : ownPorts(object);
  return found.map(({ port: number, protocol: own }, at) => ({
    ...(found.length > 1 ? { name: `port-${at + 1}` } : {}),
    protocol: (protocol ?? own ?? 'TCP').toUpperCase(),
    port: number,
    targetPort: targetPort === undefined ? number : /^\d+$/.test(targetPort) ? Number(targetPort) : targetPort,
  }));
}

function portNumber(given: string): number {
  if (/^\d{1,5}$/.test(given)) return Number(given);
  throw new CommandError(`invalid port ${JSON.stringify(given)}: a whole number is expected`);
}

/** The ports that the object itself has. */
function ownPorts({ kind, spec }: Exposed): { readonly port: number; readonly protocol?: string | undefined }[] {
  if (kind === 'Service') return [...(spec?.ports ?? [])];
  const containers = (kind === 'Pod' ? spec?.containers : spec?.template?.spec?.containers) ?? [];
  return containers.flatMap(({ ports = [] }) =>
    ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol })),
  );
}
