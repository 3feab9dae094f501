import { VERSION } from '../api/release.ts';
import type { Injected, InjectedStream } from '../http/inject.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import { beginOrEnd, Closing } from '../runtime/closing.ts';
import { sleep, systemRuntime } from '../runtime/runtime.ts';
import { adminConfigOf } from './admin-config.ts';
import { Injections, type InjectRequest } from './injection.ts';
import { openListener } from './listener.ts';
import type { StartOptions } from './options.ts';
import { type Plan, planPlane } from './plan.ts';
import { assemblePlane, type Plane } from './plane.ts';
import { StageLog } from './stage-log.ts';
import { openStorage } from './storage.ts';

export type { StartOptions } from './options.ts';

/** How long requests in flight have to finish once the server stops. */
const GRACE_MS = 10_000;

/** A plane of this process that only the program around it reaches. `await using` closes it at the end of its block. */
export interface EmbeddedPlane extends AsyncDisposable {
  /** A bearer token with all rights, for as long as this server runs. It is written nowhere. */
  readonly adminToken: string;
  /** Where embedders read objects, */
  readonly objects: Objects;
  /** and where they write them: no socket, the same rules. */
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  /** Answers a request without a socket, on behalf of whom `as` names. Rejects once the server is being closed. */
  inject(request: InjectRequest): Promise<Injected>;
  /** As `inject`, with the body as it is produced, such as the events of a watch. Leaving the loop over it ends it. */
  injectStream(request: InjectRequest): Promise<InjectedStream>;
  /** Not ready any more, then no longer there: watches end, requests finish, the store is closed. */
  close(): Promise<void>;
}

/** A running server. */
export interface Server extends EmbeddedPlane {
  readonly url: string;
  readonly port: number;
  /** A client configuration with all rights, as text. */
  readonly adminConfig: string;
  /** Where the same text was written, if it was; one that someone changed is kept as they left it. */
  readonly adminConfigFile: string | undefined;
  /** An address at which the administrator is logged in on the console, once and within minutes; undefined: there is none. */
  consoleLogin(): string | undefined;
}

/** Starts a server; resolves when it is ready. Rejects with an Error of one clear line when it cannot start. */
export const startServer = (options: StartOptions = {}): Promise<Server> =>
  beginOrEnd(async (closing) => {
    const { plan, plane, stages } = await begin(options, closing);
    const { settings, runtime, vocabulary, logger, dataDir } = plan;
    const reachable = new Closing();
    closing.add(() => reachable.run());
    const listener = await openListener(plane, { ...plan, graceMs: GRACE_MS });
    reachable.add(() => listener.close());
    stages.finished('listener', { url: listener.url });
    const published = await plane.publish(listener.place);
    reachable.add(() => published.close());
    stages.finished('publication');
    const { url, port } = listener;
    const injections = new Injections({ handle: plane.handleAt(listener.address), admin: plane.admin, runtime });
    const admin = adminConfigOf({ server: url, credentials: plan.credentials, dataDir, vocabulary, logger });
    const about = { url, version: VERSION, vocabulary: vocabulary.name, storage: settings.storage, dataDir };
    stages.ready({ url });
    logger.info(about, 'the server has started');
    // The last to be added ends first: others learn that the server goes before it does.
    const whole = new Closing();
    whole.add(() => logger.info(about, 'the server has stopped'));
    whole.add(() => closing.run());
    // Neither waits for requests that came the other way.
    whole.add(async () => {
      await Promise.all([reachable.run(), injections.close(GRACE_MS)]);
    });
    whole.add(() => {
      plane.health.beginShutdown();
      return sleep(runtime, settings.shutdownDelayDuration);
    });
    const consoleLogin = (): string | undefined =>
      settings.enableConsole ? `${url}/console#login=${plane.logins.code()}` : undefined;
    const addresses = { url, port, adminConfig: admin.text, adminConfigFile: admin.file, consoleLogin };
    return { ...addresses, ...embedded(plane, injections, whole) };
  });

/** Starts a plane without a listener; resolves when it is ready. Settings of the listener are checked, and of no use. */
export const startPlane = (options: StartOptions = {}): Promise<EmbeddedPlane> =>
  beginOrEnd(async (closing) => {
    const { plan, plane, stages } = await begin(options, closing);
    const published = await plane.publish({ address: undefined, port: plan.settings.securePort });
    closing.add(() => published.close());
    stages.finished('publication');
    stages.ready({});
    const injections = new Injections({ handle: plane.handleAt(''), admin: plane.admin, runtime: plan.runtime });
    closing.add(() => injections.close(GRACE_MS));
    return embedded(plane, injections, closing);
  });

/** A store, and a plane over it. */
async function begin(
  options: StartOptions,
  closing: Closing,
): Promise<{ readonly plan: Plan; readonly plane: Plane; readonly stages: StageLog }> {
  const began = (options.runtime ?? systemRuntime).monotonic();
  const plan = await planPlane(options);
  closing.add(() => plan.close());
  const stages = new StageLog(plan.logger, plan.runtime, began);
  stages.finished('plan', { dataDir: plan.dataDir });
  const log = await openStorage(plan);
  closing.add(() => log.close());
  stages.finished('store', { storage: plan.settings.storage, revision: log.revision });
  const plane = await assemblePlane(log, plan);
  closing.add(() => plane.close());
  stages.finished('plane');
  return { plan, plane, stages };
}

function embedded(
  { adminToken, objects, registry, catalogue }: Plane,
  injections: Injections,
  closing: Closing,
): EmbeddedPlane {
  const close = (): Promise<void> => {
    injections.refuse();
    return closing.run();
  };
  return {
    adminToken,
    objects,
    registry,
    catalogue,
    inject: (request) => injections.inject(request),
    injectStream: (request) => injections.injectStream(request),
    close,
    [Symbol.asyncDispose]: close,
  };
}
