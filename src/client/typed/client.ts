import type { Info } from '../../kinds/version/info.ts';
import type { APIResourceList } from '../../meta/discovery.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Vocabulary, vocabularies } from '../../vocabulary/vocabulary.ts';
import type { Controller } from '../controlling/reconciler.ts';
import { type ControllerOptions, runController } from '../controlling/run-controller.ts';
import { type Discovered, discover, kindsIn } from '../discovery.ts';
import { type LeadOptions, lead } from '../leading/lead.ts';
import type { Leadership } from '../leading/leadership.ts';
import type { AnyObject, PlaneAnswer, PlaneRequest, Send } from '../plane-client.ts';
import type { NamedKind, ServedKind } from '../served-kind.ts';
import type { KindReference, ObjectKind } from './object-kind.ts';
import { NamespacedClient, ObjectsClient } from './objects-client.ts';
import type { PlaneAccess } from './plane-access.ts';

/** An object of a kind that nothing is known of before. */
export interface UntypedObject extends AnyObject {
  readonly [field: string]: unknown;
}

/** What a client is made of; `connect` makes one. */
export interface ClientParts extends PlaneAccess {
  readonly send: Send;
  /** Time of controllers and of leadership. */
  readonly clock: Runtime;
  /** Where kinds with namespaces are looked for unless a call says otherwise. */
  readonly namespace: string;
  close(): void;
}

/** A plane, for programs: asks for kinds, and what else there is. Refusals are thrown as `ApiError`. */
export class Client {
  readonly #parts: ClientParts;
  /** What versions of groups serve, for kinds that are named by it. */
  readonly #served = new Map<string, Promise<readonly ServedKind[]>>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** The names that the plane uses. */
  get vocabulary(): Vocabulary {
    return this.#parts.vocabulary;
  }

  /** Where `inNamespace()` works. */
  get namespace(): string {
    return this.#parts.namespace;
  }

  /** The objects of a kind: `client.of(Pod).inNamespace('x')`, `client.of(Node)`. */
  of<T extends AnyObject>(kind: ObjectKind<T, true>): NamespacedClient<T>;
  of<T extends AnyObject>(kind: ObjectKind<T, false>): ObjectsClient<T>;
  /** Of a kind that only the plane knows; it is asked at the first request. */
  of<T extends AnyObject = UntypedObject>(kind: KindReference): UntypedClient<T>;
  of(kind: ObjectKind | KindReference): NamespacedClient<AnyObject> | ObjectsClient<AnyObject> {
    const { namespace } = this.#parts;
    if ('apiVersion' in kind) {
      return new UntypedClient(this.#parts, { kind: () => this.#resolve(kind), namespace: '' }, namespace);
    }
    const named = translated(kind, this.#parts.vocabulary);
    const scope = { kind: () => named, namespace: '' };
    return kind.namespaced
      ? new NamespacedClient(this.#parts, scope, namespace)
      : new ObjectsClient(this.#parts, scope);
  }

  /** Looks at a key whenever a watched object that it follows from has changed: see `watching`. */
  runController(options: Omit<ControllerOptions, 'runtime'>): Controller {
    return runController({ ...options, runtime: this.#parts.clock });
  }

  /** Stands for leadership among those who name the same Lease, until it is closed. */
  lead(options: Omit<LeadOptions, 'runtime' | 'client' | 'vocabulary'>): Leadership {
    const { clock, plane, vocabulary } = this.#parts;
    return lead({ ...options, runtime: clock, client: plane, vocabulary });
  }

  /** What the plane serves at this moment. */
  async discover(): Promise<Discovered> {
    return (await discover(this.#parts.plane)).discovered;
  }

  /** Which release the plane is of. */
  version(): Promise<Info> {
    return this.#parts.plane.document<Info>('/version');
  }

  /** Any request, answered with whatever status the plane gives it. */
  raw(request: PlaneRequest): Promise<PlaneAnswer> {
    return this.#parts.send(request);
  }

  /** Closes connections. Watches end. */
  close(): void {
    this.#parts.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #resolve(reference: KindReference): Promise<NamedKind> {
    const { apiVersion } = reference;
    const known = this.#served.get(apiVersion);
    const found = known && (await known).find(({ kind }) => kind === reference.kind);
    if (found) return found;
    // It may be served since.
    const asked = this.#ask(apiVersion);
    this.#served.set(apiVersion, asked);
    asked.catch(() => this.#served.delete(apiVersion));
    const served = (await asked).find(({ kind }) => kind === reference.kind);
    if (!served) throw new TypeError(`the plane serves no kind ${reference.kind} in ${apiVersion}`);
    return served;
  }

  async #ask(apiVersion: string): Promise<readonly ServedKind[]> {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const path = `${group === '' ? '/api' : '/apis'}/${apiVersion}`;
    return kindsIn(await this.#parts.plane.document<APIResourceList>(path), { group, version });
  }
}

/** The objects of a kind of which it is not known before whether they are in namespaces. */
export class UntypedClient<T extends AnyObject> extends ObjectsClient<T> {
  readonly #namespaced: NamespacedClient<T>;

  constructor(...[access, scope, usualNamespace]: ConstructorParameters<typeof NamespacedClient>) {
    super(access, scope);
    this.#namespaced = new NamespacedClient<T>(access, scope, usualNamespace);
  }

  /** Its objects in one namespace; in that of the configuration's context where none is named. */
  inNamespace(namespace?: string): ObjectsClient<T> {
    return this.#namespaced.inNamespace(namespace);
  }
}

/** A kind under the name that the plane has for its group. Groups that are nobody's but the user's stay as they are. */
function translated(kind: ObjectKind, vocabulary: Vocabulary): NamedKind {
  const [known] = Object.entries(vocabularies.platform.groups).filter(([, group]) => group === kind.group);
  if (!known) return kind;
  const groups: Readonly<Record<string, string>> = vocabulary.groups;
  return { ...kind, group: groups[known[0]] ?? kind.group };
}
