import { join } from 'node:path';
import { VERSION } from '../../../api/release.ts';
import { identityOf } from '../../../client/credentials/identity-of.ts';
import { HttpTransport, type OpenStream } from '../../../client/http-transport.ts';
import type { Identity } from '../../../client/identity.ts';
import { PlaneClient, type Send } from '../../../client/plane-client.ts';
import type { Connection } from '../../../outbound/config.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { FlagValues } from '../../../settings/flag.ts';
import { type Vocabulary, vocabularies } from '../../../vocabulary/vocabulary.ts';
import { ResourceMemory } from '../resources/resource-memory.ts';
import { type ServedResources, UnknownResource } from '../resources/served-resources.ts';
import { configuredConnection, spokenBy } from './configured-connection.ts';
import type { GLOBAL_FLAGS } from './global-flags.ts';
import type { Io } from './io.ts';

/** Where a command works unless an object says otherwise. */
export interface WorkingNamespace {
  readonly name: string;
  /** It was asked for on the line: objects of other namespaces are refused. */
  readonly isGiven: boolean;
}

const DEFAULT_NAMESPACE = 'default';
const CACHE_FOLDER = join(vocabularies.platform.clientConfiguration.folder, 'cache');

/** What commands share: the plane that a line is about, reached when it is first needed, and what is around them. */
export class Session {
  readonly io: Io;
  readonly runtime: Runtime;
  readonly global: FlagValues<typeof GLOBAL_FLAGS>;
  #connection: Promise<Connection> | undefined;
  #identity: Promise<Identity> | undefined;
  #transport: HttpTransport | undefined;
  #resources: Promise<ServedResources> | undefined;
  #denial: string | undefined;

  constructor(io: Io, runtime: Runtime, global: FlagValues<typeof GLOBAL_FLAGS>) {
    this.io = io;
    this.runtime = runtime;
    this.global = global;
  }

  connection(): Promise<Connection> {
    this.#connection ??= configuredConnection(this.global, this.io);
    return this.#connection;
  }

  async transport(): Promise<HttpTransport> {
    const connection = await this.connection();
    // A command sends a few requests; what speaks HTTP/2 takes longer to load than they take.
    const options = { environment: this.io.env, http2: false };
    this.#transport ??= new HttpTransport(connection, this.runtime, `platformctl/${VERSION}`, options);
    return this.#transport;
  }

  /** Whom the line is from; one for all requests, so that a credential plugin is asked once. */
  identity(): Promise<Identity> {
    this.#identity ??= this.connection().then((connection) =>
      identityOf(connection, {
        vocabularies: spokenBy(this.global),
        runtime: this.runtime,
        environment: this.io.env,
        hasTerminal: this.io.stdin.isTTY === true,
      }),
    );
    return this.#identity;
  }

  async send(): Promise<Send> {
    const { requestTimeoutMs: timeoutMs } = await this.connection();
    const send = (await this.transport()).sendAs(await this.identity());
    return async (request) => {
      const answer = await send(timeoutMs === undefined ? request : { timeoutMs, ...request });
      const denial = answer.status === 403 ? answer.headers?.['denial-id'] : undefined;
      if (typeof denial === 'string') this.#denial = denial;
      return answer;
    };
  }

  /** Under which id the plane remembers the last request that it refused, where it said so. */
  get denial(): string | undefined {
    return this.#denial;
  }

  /** Opens watches. */
  async openStream(): Promise<OpenStream> {
    const transport = await this.transport();
    return transport.streamAs(await this.identity());
  }

  /** What the plane serves, in every version; asked for once. */
  resources(): Promise<ServedResources> {
    this.#resources ??= this.#askForResources();
    return this.#resources;
  }

  async #askForResources(): Promise<ServedResources> {
    const { readServedResources } = await import('../resources/read-served-resources.ts');
    const resources = await readServedResources(await this.send());
    await this.#memory().then((memory) => memory.write(resources, this.runtime.now()));
    return resources;
  }

  /**
   * Looks something up in what is remembered of the plane, and in what it serves now where that is too old or lacks what is
   * looked for. For commands that read: what changes objects should know what is served.
   */
  async lookUp<T>(find: (resources: ServedResources) => T | Promise<T>): Promise<T> {
    const remembered = this.#resources ? undefined : await this.#rememberedResources();
    if (!remembered) return find(await this.resources());
    try {
      const found = await find(remembered);
      this.#resources ??= Promise.resolve(remembered);
      return found;
    } catch (error) {
      if (!(error instanceof UnknownResource)) throw error;
      return find(await this.resources());
    }
  }

  async #rememberedResources(): Promise<ServedResources | undefined> {
    return (await this.#memory()).read(this.runtime.now());
  }

  async #memory(): Promise<ResourceMemory> {
    const { server } = await this.connection();
    return new ResourceMemory(this.global.cacheDir ?? join(this.io.home, CACHE_FOLDER), server);
  }

  async vocabulary(): Promise<Vocabulary> {
    const { vocabulary: name } = this.global;
    return name === undefined ? (await this.resources()).vocabulary : vocabularies[name];
  }

  async client(): Promise<PlaneClient> {
    return new PlaneClient(await this.send(), (await this.vocabulary()).groups.meta);
  }

  async namespace(): Promise<WorkingNamespace> {
    const { namespace } = this.global;
    if (namespace !== undefined) return { name: namespace, isGiven: true };
    return { name: (await this.connection()).namespace ?? DEFAULT_NAMESPACE, isGiven: false };
  }

  close(): void {
    this.#transport?.close();
  }
}
