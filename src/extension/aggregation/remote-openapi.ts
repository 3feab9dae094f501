import { createHash } from 'node:crypto';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ApiServices } from './api-services.ts';
import { versionPath } from './availability.ts';
import type { BackendClient, Fetched } from './backend-client.ts';
import { type Answer, LastAnswers } from './last-answers.ts';
import type { RemoteVersion } from './remote-version.ts';

const TIMEOUT_MS = 10_000;
/** Of one document; that of a server with all kinds of this one is half as long. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of all documents of each flavour. An eighth of it is what one may have. */
const CAPACITY = 8 * MOST_BYTES;

interface SchemaDocument {
  readonly bytes: Buffer;
  readonly digest: string;
}

interface V2Source {
  readonly source: string;
  readonly bytes: Buffer;
  readonly prefixes: readonly string[];
}

export interface RemoteOpenapiParts {
  readonly services: ApiServices;
  readonly client: BackendClient;
  readonly runtime: Runtime;
  onError(source: string, error: unknown): void;
}

/** What the servers behind remote versions publish of their schemas, as they said last. */
export class RemoteOpenapi {
  readonly #services: ApiServices;
  readonly #parts: RemoteOpenapiParts;
  /** One for each server, */
  readonly #v2: LastAnswers<SchemaDocument>;
  /** and one for each version. */
  readonly #v3: LastAnswers<SchemaDocument>;

  constructor(parts: RemoteOpenapiParts) {
    this.#parts = parts;
    this.#services = parts.services;
    this.#v2 = this.#answers(
      'remote-openapi-v2',
      ({ backend }) => backend,
      () => '/openapi/v2',
    );
    this.#v3 = this.#answers(
      'remote-openapi-v3',
      ({ name, backend }) => `${name} ${backend}`,
      (remote) => `/openapi/v3${versionPath(remote)}`,
    );
  }

  get revision(): number {
    return this.#v2.revision + this.#v3.revision;
  }

  has(group: string, version: string): boolean {
    return this.#services.find(group, version) !== undefined;
  }

  /** At once when there is nothing to wait for. */
  v2(): Promise<readonly V2Source[]> | readonly V2Source[] {
    if (!this.#services.hasRemotes) return [];
    const waiting = this.#v2.refresh(this.#services.remotes());
    return waiting ? waiting.then(() => this.#knownV2()) : this.#knownV2();
  }

  parts(): Promise<ReadonlyMap<string, SchemaDocument>> | ReadonlyMap<string, SchemaDocument> {
    if (!this.#services.hasRemotes) return new Map();
    const waiting = this.#v3.refresh(this.#services.remotes());
    return waiting ? waiting.then(() => this.#knownParts()) : this.#knownParts();
  }

  part(name: string): Promise<SchemaDocument | undefined> | SchemaDocument | undefined {
    const [prefix, group = '', version = '', more] = name.split('/');
    const remote = prefix === 'apis' && more === undefined ? this.#services.find(group, version) : undefined;
    if (!remote) return undefined;
    const waiting = this.#v3.refreshOne(remote);
    return waiting ? waiting.then(() => this.#v3.of(remote).value) : this.#v3.of(remote).value;
  }

  onError(source: string, error: unknown): void {
    this.#parts.onError(source, error);
  }

  #answers(
    name: string,
    keyOf: (remote: RemoteVersion) => string,
    targetOf: (remote: RemoteVersion) => string,
  ): LastAnswers<SchemaDocument> {
    const { client, runtime } = this.#parts;
    return new LastAnswers({
      name,
      capacity: CAPACITY,
      runtime,
      keyOf,
      ask: (remote, etag) =>
        client.get(remote, {
          target: targetOf(remote),
          headers: etag === '' ? [] : ['If-None-Match', etag],
          timeoutMs: TIMEOUT_MS,
          mostBytes: MOST_BYTES,
        }),
      read: readDocument,
      onError: ({ name: source }, error) => this.onError(source, error),
    });
  }

  #knownV2(): readonly V2Source[] {
    const sources = new Map<string, V2Source & { readonly prefixes: string[] }>();
    for (const remote of this.#services.remotes()) {
      const { value } = this.#v2.of(remote);
      if (!value) continue;
      const source = sources.get(remote.backend) ?? { source: remote.host, bytes: value.bytes, prefixes: [] };
      source.prefixes.push(`${versionPath(remote)}/`);
      sources.set(remote.backend, source);
    }
    return [...sources.values()];
  }

  #knownParts(): ReadonlyMap<string, SchemaDocument> {
    const parts = new Map<string, SchemaDocument>();
    for (const remote of this.#services.remotes()) {
      const { value } = this.#v3.of(remote);
      if (value) parts.set(versionPath(remote).slice(1), value);
    }
    return parts;
  }
}

/** What it says is for those who read it. Throws when there is none. */
function readDocument({ status, body }: Fetched): Answer<SchemaDocument> {
  if (status !== 200) throw new Error(`the schemas were answered with ${status}`);
  const digest = createHash('sha256').update(body).digest('hex');
  return { value: { bytes: body, digest }, bytes: body.length };
}
