import { SERVER_USER } from '../api/user.ts';
import type { Lease } from '../kinds/coordination/lease.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import type { ObjectRef } from '../registry/write.ts';
import type { Timer } from '../runtime/runtime.ts';
import { formatMicroTime, secondsOf } from '../schema/time.ts';
import type { SharedFormat } from '../storage/backend.ts';
import { type Controller, type ControllerParts, servedType } from './controller.ts';
import type { ServerAddress } from './server-objects.ts';

const OPTIONS = { user: SERVER_USER };
const LABELS = { component: 'apiserver' };
/** A member without it is of a version that knew no other format. */
const FORMAT_LABEL = 'store-format';
const FIRST_FORMAT = 1;
const DURATION_SECONDS = 60;
const RENEW_MS = 20_000;

/** What is known of one server. */
interface Member {
  readonly place: ServerAddress;
  /** The newest form of shared data that it reads. */
  readonly format: number;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/**
 * Lets servers over one store know of each other: each keeps a Lease beside the others'. Who does not renew it for a
 * minute does not count, and who closes takes it away. A Lease says which form of shared data its server reads, so that
 * a newer one writes nothing that an older one beside it cannot read.
 */
export class Membership implements Controller {
  readonly #parts: ControllerParts;
  readonly #own: ServerAddress;
  readonly #ref: ObjectRef;
  readonly #onChange: () => void;
  readonly #format: SharedFormat | undefined;
  readonly #subscription: { close(): void };
  /** By name of the lease. */
  readonly #members = new Map<string, Member>();
  #told = '';
  #timer: Timer | undefined;

  private constructor(parts: ControllerParts, own: ServerAddress, onChange: () => void) {
    const { coordination } = parts.vocabulary.groups;
    this.#parts = parts;
    this.#own = own;
    this.#onChange = onChange;
    this.#format = parts.objects.sharedFormat;
    this.#ref = {
      type: servedType(parts, coordination, 'leases'),
      namespace: parts.vocabulary.namespaces.system,
      name: `apiserver-${own.address.replaceAll(':', '-')}-${own.port}`,
      subresource: '',
    };
    this.#subscription = parts.informer.follow(
      { group: coordination, plural: 'leases' },
      {
        onSet: (lease: Lease) => this.#note(lease),
        onRemove: (lease) => this.#forget(lease),
      },
    );
  }

  /** Resolves when the others can know. */
  static async begin(parts: ControllerParts, own: ServerAddress, onChange: () => void): Promise<Membership> {
    const membership = new Membership(parts, own, onChange);
    await membership.#keepUp();
    return membership;
  }

  /** Where all servers are, this one included, in the same order for each of them. */
  places(): readonly ServerAddress[] {
    return [this.#own, ...this.#others().map(({ place }) => place)].sort(inOrder);
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#subscription.close();
    await this.#remove(this.#ref.name).catch(() => undefined);
  }

  async #keepUp(): Promise<void> {
    const { runtime, onError } = this.#parts;
    try {
      await this.#renew();
      await this.#removeExpired();
    } catch (error) {
      onError('server-members', this.#ref.name, error);
    }
    this.#look();
    this.#timer = runtime.after(RENEW_MS, () => void this.#keepUp());
  }

  async #renew(): Promise<void> {
    const { registry, runtime } = this.#parts;
    const labels = this.#format ? { ...LABELS, [FORMAT_LABEL]: String(this.#format.newest) } : LABELS;
    const renewed = (current: ApiObject | undefined) => leaseOf(current, this.#ref, labels, this.#own, runtime.now());
    await registry.update(this.#ref, renewed, OPTIONS);
  }

  async #removeExpired(): Promise<void> {
    const now = this.#parts.runtime.now();
    for (const [name, { expires }] of this.#members) if (expires <= now) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    await this.#parts.registry.delete(this.#ref.type, this.#ref.namespace, name, OPTIONS);
  }

  #note(lease: Lease): void {
    const member = memberOf(lease, this.#ref.namespace);
    if (member) this.#members.set(lease.metadata.name ?? '', member);
    this.#look();
  }

  #forget({ metadata: { namespace, name = '' } }: ApiObject): void {
    if (namespace === this.#ref.namespace) this.#members.delete(name);
    this.#look();
  }

  #others(): Member[] {
    const now = this.#parts.runtime.now();
    return [...this.#members.values()].filter(({ place, expires }) => expires > now && !this.#isOwn(place));
  }

  #look(): void {
    this.#format?.agree(Math.min(this.#format.newest, ...this.#others().map(({ format }) => format)));
    const places = JSON.stringify(this.places());
    if (places === this.#told) return;
    this.#told = places;
    this.#onChange();
  }

  #isOwn({ address, port }: ServerAddress): boolean {
    return address === this.#own.address && port === this.#own.port;
  }
}

function leaseOf(
  current: ApiObject | undefined,
  { namespace, name }: ObjectRef,
  labels: Readonly<Record<string, string>>,
  { address, port }: ServerAddress,
  now: number,
): object {
  return {
    metadata: { namespace, name, labels, resourceVersion: current?.metadata.resourceVersion },
    spec: {
      holderIdentity: `${address}_${port}`,
      leaseDurationSeconds: DURATION_SECONDS,
      renewTime: formatMicroTime(now),
    },
  };
}

/** Undefined for leases of anything else. */
function memberOf({ metadata, spec }: Lease, namespace: string): Member | undefined {
  if (metadata.namespace !== namespace || metadata.labels?.component !== LABELS.component) return undefined;
  const [address = '', port = ''] = (spec.holderIdentity ?? '').split('_');
  const renewed = spec.renewTime === undefined ? 0 : secondsOf(spec.renewTime) * 1000;
  if (address === '' || !(Number(port) > 0)) return undefined;
  return {
    place: { address, port: Number(port) },
    format: Number(metadata.labels?.[FORMAT_LABEL] ?? FIRST_FORMAT) || FIRST_FORMAT,
    expires: renewed + (spec.leaseDurationSeconds ?? 0) * 1000,
  };
}

function inOrder(a: ServerAddress, b: ServerAddress): number {
  if (a.port !== b.port) return a.port - b.port;
  return a.address < b.address ? -1 : 1;
}
