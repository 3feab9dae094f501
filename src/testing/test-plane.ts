import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConnection } from '../client/config/load-connection.ts';
import { type Client, type ConnectOptions, connect, type UntypedObject } from '../client/index.ts';
import { readLoopChoice } from '../controllers/loop-table.ts';
import type { Connection } from '../outbound/config.ts';
import { beginOrEnd, type Closing } from '../runtime/closing.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { type Server, type StartOptions, startServer } from '../server/server.ts';
import { parseDuration } from '../settings/units.ts';
import type { LogSnapshot } from '../storage/log/version-log.ts';
import type { VocabularyName } from '../vocabulary/vocabulary.ts';
import { applyManifests, type Manifests } from './apply-manifests.ts';
import { Chaos } from './chaos/chaos.ts';
import type { ChaosOptions } from './chaos/faults.ts';
import { Interception, type RequestFilter, type RequestHooks } from './interception.ts';
import { ManualClock } from './manual-clock.ts';
import { preparedPlane } from './prepared-planes.ts';
import { Recording, type RecordingOptions } from './recording/recording.ts';
import { PlaneExpectation } from './settling/expectation.ts';
import { Stages, type StagesOptions } from './stages/stages.ts';
import { makeNamespace, type TestNamespace } from './test-namespace.ts';

/** Settings of the plane; all that a server has but where it keeps things, which is in memory. */
export interface TestPlaneOptions
  extends Omit<StartOptions, 'store' | 'storage' | 'dataDir' | 'interceptor' | 'prepared' | 'aggregatedBehind'> {
  /** Which names the plane uses; the neutral ones unless told. */
  readonly vocabulary?: VocabularyName;
  /** `manual`: time stands still until the plane is told to advance it. */
  readonly clock?: 'real' | 'manual';
}

/** All that a plane held at one moment; good for the plane that it was taken of. */
export interface PlaneSnapshot {
  /** The resource version of that moment. */
  readonly resourceVersion: string;
}

/** Clients of a test name themselves so; their requests are found by it in logs and recordings. */
const AGENT = 'test-plane';

/**
 * A plane for one test or one file of tests: a whole server of this process, over HTTPS on a port of its own, with its
 * control loops, that keeps everything in memory. `await using` stops it at the end of the block.
 */
export class TestPlane implements AsyncDisposable {
  readonly server: Server;
  /** Time and chance of the plane. */
  readonly runtime: Runtime;
  /** The administrator. */
  readonly client: Client;
  readonly #connection: Connection;
  readonly #interception: Interception;
  readonly #options: TestPlaneOptions;
  readonly #closing: Closing;
  readonly #snapshots = new WeakMap<PlaneSnapshot, LogSnapshot>();
  #namespaces = 0;
  #configFile: string | undefined;

  constructor(parts: TestPlaneParts) {
    this.server = parts.server;
    this.runtime = parts.runtime;
    this.client = parts.client;
    this.#connection = parts.connection;
    this.#interception = parts.interception;
    this.#options = parts.options;
    this.#closing = parts.closing;
  }

  /** `https://127.0.0.1:PORT`. */
  get url(): string {
    return this.server.url;
  }

  /** The path of a client configuration of the administrator, for other processes. The file goes when the plane stops. */
  get configFile(): string {
    this.#configFile ??= writeConfig(this.server.adminConfig, this.#closing);
    return this.#configFile;
  }

  /** A client that acts as a user, in these groups and in that of everybody who is known. Closed with the plane. */
  async clientAs(user: string, groups: readonly string[] = []): Promise<Client> {
    const impersonate = { user, uid: undefined, groups, extra: {} };
    const client = await connect({ ...this.#connecting(), connection: { ...this.#connection, impersonate } });
    this.#closing.add(() => client.close());
    return client;
  }

  /**
   * Applies manifests on the server's side, as the owner `test`: files by a pattern (`dir/*.yaml`), objects, or several of
   * these. Definitions of custom kinds come first, and are served before anything else is applied.
   */
  apply(manifests: Manifests): Promise<readonly UntypedObject[]> {
    return applyManifests(this.client, manifests);
  }

  /** A namespace that nobody has used, called by the prefix and a number. */
  async namespace(prefix = 'test'): Promise<TestNamespace> {
    const hasDefaultAccount = readLoopChoice(this.#options.controllers ?? ['*']).includes('serviceaccount', true);
    for (;;) {
      const name = `${prefix}-${++this.#namespaces}`;
      const made = await makeNamespace({ client: this.client, name, hasDefaultAccount });
      if (made) return made;
    }
  }

  /** Has hooks see, delay, refuse or answer the requests that a filter means, until the result is disposed of. */
  intercept(filter: RequestFilter, hooks: RequestHooks): Disposable {
    return this.#interception.add(filter, hooks);
  }

  /** Has the plane deal out the errors and delays of a real one, decided by a seed, until the result is disposed of. */
  chaos(options: ChaosOptions): Chaos {
    return new Chaos(this, options);
  }

  /** Records every request and watch event from now on, until the result is disposed of. Chaos is added before it. */
  record(options?: RecordingOptions): Recording {
    return new Recording(this, options);
  }

  /** What is expected of all who write, or of those whom a filter means: `await plane.expect().toSettle()`. */
  expect(filter?: RequestFilter): PlaneExpectation {
    return new PlaneExpectation(this, filter);
  }

  /** What is stored now, to be put back later. To take one costs next to nothing. */
  snapshot(): PlaneSnapshot {
    const state = this.server.registry.snapshot();
    const snapshot = { resourceVersion: String(state.revision) };
    this.#snapshots.set(snapshot, state);
    return snapshot;
  }

  /**
   * Puts back what was stored when the snapshot was taken. Resource versions go on upwards: what has changed since has a
   * new one. Watches end with a 410, as after a compaction, so that whoever watches lists again over the same connection.
   */
  async restore(snapshot: PlaneSnapshot): Promise<void> {
    const state = this.#snapshots.get(snapshot);
    if (!state) throw new TypeError('the snapshot is of another plane');
    await this.server.registry.restore(state);
  }

  /**
   * Lets time pass on a manual clock: milliseconds, or as Go writes it (`1h30m`). Resolves when what came due has been done:
   * leases and tokens have ended, what lives for a time is gone, control loops have nothing left to do.
   */
  async advance(duration: number | string): Promise<void> {
    const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration);
    if (milliseconds === undefined) throw new TypeError(`"${duration}" is no duration such as 90s or 1h30m`);
    if (!(this.runtime instanceof ManualClock))
      throw new TypeError("only a plane with clock: 'manual' can be advanced");
    await this.runtime.advance(milliseconds);
  }

  /** Has objects live without anybody behind them: fake nodes, pods on them, and what stages say of any kind. */
  stages(options?: StagesOptions): Promise<Stages> {
    return Stages.start(this, options);
  }

  /** Something to end with the plane, before its clients are closed. */
  atStop(end: () => Promise<void> | void): void {
    this.#closing.add(end);
  }

  /** Closes clients, ends the server and removes what was written. Everything that was stored is gone. */
  stop(): Promise<void> {
    return this.#closing.run();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #connecting(): ConnectOptions {
    return connecting(this.#options, this.runtime);
  }
}

/** What a test plane is made of; `startTestPlane` makes one. */
export interface TestPlaneParts {
  readonly server: Server;
  readonly runtime: Runtime;
  readonly client: Client;
  readonly connection: Connection;
  readonly interception: Interception;
  readonly options: TestPlaneOptions;
  readonly closing: Closing;
}

/** Starts a plane; resolves when it is ready. */
export const startTestPlane = ({ clock, ...options }: TestPlaneOptions = {}): Promise<TestPlane> =>
  beginOrEnd(async (closing) => {
    const runtime = options.runtime ?? (clock === 'manual' ? new ManualClock() : systemRuntime);
    let server: Server | undefined;
    const interception = new Interception(() => server?.catalogue);
    const own = { ...options, store: 'memory' } as const;
    const prepared = await preparedPlane(own);
    server = await startServer({ port: 0, ...own, runtime, prepared, interceptor: interception });
    closing.add(server.close);
    const connection = await readConnection(server.adminConfig, process.cwd());
    const client = await connect({ ...connecting(options, runtime), connection });
    closing.add(() => client.close());
    return new TestPlane({ server, runtime, client, connection, interception, options, closing });
  });

/**
 * Nothing has to be asked: the names of a plane are known to whoever started it. What is waited for on a connection takes
 * real time, whatever the clock of the plane says.
 */
const connecting = ({ vocabulary = 'platform' }: TestPlaneOptions, runtime: Runtime): ConnectOptions => ({
  vocabulary,
  userAgent: AGENT,
  ...(runtime === systemRuntime ? {} : { clock: runtime }),
});

function writeConfig(text: string, closing: Closing): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-plane-'));
  closing.add(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'admin.conf');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
