import type { Objects } from '../../../registry/objects.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { EndpointSlice } from '../../discovery/endpoint-slice.ts';
import type { Endpoints } from './endpoints.ts';
import type { Service } from './service.ts';

/** Where one of the processes behind a service listens. */
export interface ServicePlace {
  readonly host: string;
  readonly port: number;
}

/** A port of a service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const SERVICES = { group: '', plural: 'services' };
const ENDPOINTS = { group: '', plural: 'endpoints' };

/** Finds one of the ready places behind a service. */
export class ServicePlaces {
  readonly #objects: Pick<Objects, 'get' | 'list'>;
  readonly #runtime: Runtime;
  readonly #vocabulary: Vocabulary;

  constructor(objects: Pick<Objects, 'get' | 'list'>, runtime: Runtime, vocabulary: Vocabulary) {
    this.#objects = objects;
    this.#runtime = runtime;
    this.#vocabulary = vocabulary;
  }

  /** One chosen at random. Throws an Error of one line when there is none. */
  find({ namespace, name, port }: ServicePort): ServicePlace {
    const service = this.#objects.get<Service>(SERVICES, namespace, name);
    if (!service) throw new Error(`service ${JSON.stringify(name)} not found`);
    const { type, externalName, ports = [] } = service.spec;
    if (type === 'ExternalName' && externalName) return { host: externalName, port };
    const found = ports.find((one) => one.port === port);
    if (!found) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
    const places = this.ready(namespace, name, found.name ?? '');
    const place = places[Math.floor(this.#runtime.random() * places.length)];
    if (!place) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
    return place;
  }

  /** Where the processes listen that are ready, under the name that a port of the service has. */
  ready(namespace: string, name: string, portName: string): ServicePlace[] {
    const { subsets = [] } = this.#objects.get<Endpoints>(ENDPOINTS, namespace, name) ?? {};
    const places = subsets.flatMap(({ addresses = [], ports }) =>
      pairs(
        addresses.map(({ ip }) => ip),
        ports,
        portName,
      ),
    );
    return places.length > 0 ? places : this.#readyInSlices(namespace, name, portName);
  }

  #readyInSlices(namespace: string, name: string, portName: string): ServicePlace[] {
    const { groups, labels } = this.#vocabulary;
    return this.#objects
      .list<EndpointSlice>({ group: groups.discovery, plural: 'endpointslices' }, namespace)
      .filter(({ metadata }) => metadata.labels?.[labels.serviceName] === name)
      .flatMap(({ endpoints, ports }) => {
        const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
        return pairs(
          ready.flatMap(({ addresses }) => addresses ?? []),
          ports,
          portName,
        );
      });
  }
}

interface NamedPort {
  readonly name?: string;
  readonly port?: number;
}

function pairs(
  hosts: readonly string[],
  ports: readonly NamedPort[] | null | undefined,
  portName: string,
): ServicePlace[] {
  const port = ports?.find(({ name = '' }) => name === portName)?.port;
  return port === undefined ? [] : hosts.map((host) => ({ host, port }));
}
