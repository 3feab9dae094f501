import { CommandError } from '../frame/failure.ts';
import type { NamedObject } from './find-pods.ts';
import type { Pod } from './pod.ts';

export interface ForwardedPort {
  /** 0: any that is free. */
  readonly local: number;
  readonly remote: number;
}

/** As much of a Service as is looked at. */
interface ServiceSpec {
  readonly clusterIP?: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly port: number;
    readonly targetPort?: number | string;
  }[];
}

/** Reads `8080`, `8888:80`, `:80` and names of ports, as a Service or the pod itself has them. */
export function readPorts(words: readonly string[], pod: Pod, behind: NamedObject | undefined): ForwardedPort[] {
  return words.map((word) => {
    const [first = '', second, ...more] = word.split(':');
    if (more.length > 0) throw new CommandError(`invalid port format '${word}'`);
    const remoteWord = second ?? first;
    const isService = behind?.resource.plural === 'services' && behind.resource.group === '';
    const remote = isService ? portBehind(behind, remoteWord, pod) : portOf(remoteWord, pod);
    const local = second === undefined ? localOf(first, isService ? behind : undefined, remote) : readLocal(first);
    return { local, remote };
  });
}

/** Without a port of this machine, that of the Service or the pod is used. */
function localOf(word: string, service: NamedObject | undefined, remote: number): number {
  if (/^\d+$/.test(word)) return readPort(word);
  return service ? (servicePort(service, word)?.port ?? remote) : remote;
}

const readLocal = (word: string): number => (word === '' ? 0 : readPort(word, 0));

function readPort(word: string, least = 1): number {
  const port = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN;
  if (port >= least && port <= 65_535) return port;
  const why = /^\d+$/.test(word) ? 'value out of range' : 'invalid syntax';
  throw new CommandError(`error parsing local port '${word}': strconv.ParseUint: parsing "${word}": ${why}`);
}

function portOf(word: string, { spec, metadata }: Pod): number {
  if (/^\d+$/.test(word)) {
    const port = readPort(word, 0);
    if (port === 0) throw new CommandError('remote port must be > 0');
    return port;
  }
  const found = spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === word);
  if (!found) throw new CommandError(`Pod '${metadata.name}' does not have a named port '${word}'`);
  return found.containerPort;
}

const servicePort = ({ object }: NamedObject, word: string) =>
  (object as { spec?: ServiceSpec }).spec?.ports?.find(({ name, port }) => name === word || String(port) === word);

function portBehind(service: NamedObject, word: string, pod: Pod): number {
  const { name } = service.object.metadata;
  const found = servicePort(service, word);
  if (!found) {
    if (/^\d+$/.test(word)) throw new CommandError(`Service ${name} does not have a service port ${word}`);
    throw new CommandError(`Service '${name}' does not have a named port '${word}'`);
  }
  const { clusterIP } = (service.object as { spec?: ServiceSpec }).spec ?? {};
  // Who asks a Service without an address of its own talks with the pods themselves.
  if (clusterIP === 'None') return found.port;
  return portOf(String(found.targetPort ?? found.port), pod);
}
