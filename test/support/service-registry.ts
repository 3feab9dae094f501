import { SERVER_USER } from '../../src/api/user.ts';
import { builtInCatalogue } from '../../src/kinds/built-in.ts';
import type { Service } from '../../src/kinds/core/service/service.ts';
import { ServiceAllocator } from '../../src/kinds/core/service/service-allocator.ts';
import { parseServiceRanges } from '../../src/kinds/core/service/service-ranges.ts';
import { type Admission, NO_ADMISSION } from '../../src/registry/admission.ts';
import { parseObject } from '../../src/registry/encoding.ts';
import { Informer } from '../../src/registry/informer.ts';
import { Objects } from '../../src/registry/objects.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { ApiObject, ResourceType } from '../../src/registry/resource-type.ts';
import type { WriteOptions } from '../../src/registry/write.ts';
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts';
import type { Backend } from '../../src/storage/backend.ts';
import { MemoryBackend } from '../../src/storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { plainRegistry } from './plain-registry.ts';

export interface ServiceRegistryOptions {
  readonly runtime?: Runtime;
  readonly backend?: Backend;
  readonly admission?: Admission;
  readonly addresses?: string;
  readonly ports?: string;
}

type Json = { readonly [field: string]: unknown };
type Spec = Service['spec'];
type Flags = Pick<WriteOptions, 'dryRun'>;

/** A registry that gives services what they need, and nothing else around it. */
export class ServiceRegistry {
  readonly registry: Registry;
  readonly allocator: ServiceAllocator;
  readonly type: ResourceType;

  private readonly objects: Objects;
  private readonly log: VersionLog;

  private constructor(
    log: VersionLog,
    objects: Objects,
    registry: Registry,
    allocator: ServiceAllocator,
    type: ResourceType,
  ) {
    this.log = log;
    this.objects = objects;
    this.registry = registry;
    this.allocator = allocator;
    this.type = type;
  }

  static async open(options: ServiceRegistryOptions = {}): Promise<ServiceRegistry> {
    const { runtime = systemRuntime, admission = NO_ADMISSION } = options;
    const { addresses = '10.0.0.0/24', ports = '30000-32767' } = options;
    const vocabulary = vocabularies.platform;
    const catalogue = builtInCatalogue(vocabulary);
    const type = catalogue.preferred('', 'services');
    if (!type) throw new Error('services are not served');
    const log = await VersionLog.open(options.backend ?? new MemoryBackend({ runtime }), { runtime });
    const services = new ServiceAllocator(parseServiceRanges(addresses, ports), runtime);
    const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
    services.follow(
      new Informer({
        objects,
        catalogue,
        onError(error) {
          throw error;
        },
      }),
    );
    const registry = plainRegistry({ log, runtime, vocabulary, catalogue, objects, admission, services });
    return new ServiceRegistry(log, objects, registry, services, type);
  }

  async create(name: string, spec: Json, flags: Flags = {}): Promise<Spec> {
    const document = { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
    const { bytes } = await this.registry.create(this.type, 'default', document, { user: SERVER_USER, ...flags });
    return specOf(bytes);
  }

  /** Replaces the specification by what `change` makes of it, whatever the version. */
  async update(name: string, change: (spec: Spec) => Json, flags: Flags = {}): Promise<Spec> {
    const ref = { type: this.type, namespace: 'default', name, subresource: '' };
    const replace = (current: ApiObject | undefined) => {
      if (!current) return undefined;
      const { resourceVersion: _any, ...metadata } = current.metadata;
      return { metadata, spec: change(specOf(Buffer.from(JSON.stringify(current)))) };
    };
    const { bytes } = await this.registry.update(ref, replace, { user: SERVER_USER, ...flags });
    return specOf(bytes);
  }

  async remove(name: string, flags: Flags = {}): Promise<void> {
    await this.registry.delete(this.type, 'default', name, { user: SERVER_USER, ...flags });
  }

  stored(): Service[] {
    return this.objects.list<Service>(this.type);
  }

  /** What the stored services hold, as the allocator should know it. */
  storedUse(): { addresses: string[]; ports: number[] } {
    const specs = this.stored().map(({ spec }) => spec);
    const addresses = specs.flatMap(({ clusterIPs = [] }) => clusterIPs).filter((address) => address !== 'None');
    const ports = specs
      .filter(({ type }) => type === 'NodePort' || type === 'LoadBalancer')
      .flatMap(({ ports = [], healthCheckNodePort = 0 }) => [
        ...new Set([...ports.map(({ nodePort = 0 }) => nodePort), healthCheckNodePort]),
      ]);
    return { addresses: addresses.sort(), ports: ports.filter((port) => port > 0).sort() };
  }

  /** What the allocator says is in use, in the same order. */
  allocatedUse(): { addresses: string[]; ports: number[] } {
    const { addresses, ports } = this.allocator.inUse();
    return { addresses: [...addresses].sort(), ports: [...ports].sort() };
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

const specOf = (bytes: Buffer): Spec => parseObject<Service>(bytes).spec;
