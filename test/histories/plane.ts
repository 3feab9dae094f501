import { ApiError } from '../../src/api/errors.ts';
import { SERVER_USER } from '../../src/api/user.ts';
import { Negotiator } from '../../src/codec/negotiation.ts';
import { statusOf } from '../../src/codec/status.ts';
import { DEFAULT_FEATURES } from '../../src/features/features.ts';
import { NO_REMOTE_VERSIONS } from '../../src/handlers/connect/remote-proxy.ts';
import { dispatch } from '../../src/handlers/dispatch.ts';
import type { Service } from '../../src/handlers/service.ts';
import { OpenWatches } from '../../src/handlers/watch/open-watches.ts';
import type { Handle } from '../../src/http/handler.ts';
import { type InjectedStream, inject, injectStream } from '../../src/http/inject.ts';
import { builtInCatalogue } from '../../src/kinds/built-in.ts';
import type { Catalogue } from '../../src/registry/catalogue.ts';
import { Objects } from '../../src/registry/objects.ts';
import { RequestContext } from '../../src/request/context.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { Backend } from '../../src/storage/backend.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import type { Document } from '../support/client.ts';
import { plainRegistry } from '../support/plain-registry.ts';

const vocabulary = vocabularies.platform;
const builtIn = builtInCatalogue(vocabulary);

/** Handlers, registry and log over a store, with nothing around them. */
export interface Plane {
  readonly log: VersionLog;
  request(method: string, target: string, body?: unknown): Promise<{ status: number; body: Document }>;
  watch(target: string): Promise<InjectedStream>;
}

export interface PlaneOptions {
  readonly retentionMs: number;
  readonly historyMemory: number;
  /** What it serves; the built-in kinds unless given. */
  readonly catalogue?: Catalogue;
}

export async function openPlane(
  backend: Backend,
  runtime: Runtime,
  { retentionMs, historyMemory, catalogue = builtIn }: PlaneOptions,
): Promise<Plane> {
  let problem: unknown;
  const onError = (error: unknown): void => {
    problem ??= error;
  };
  const log = await VersionLog.open(backend, { runtime, retentionMs, historyMemory, onError });
  const handle = handlerOver(log, catalogue, runtime);
  return {
    log,
    async request(method, target, document) {
      const headers = { 'content-type': 'application/json' };
      const body = document === undefined ? '' : JSON.stringify(document);
      const answer = await inject(handle, { method, target, headers, body });
      if (problem !== undefined) throw problem;
      return { status: answer.status, body: JSON.parse(answer.body.toString()) };
    },
    watch: (target) => injectStream(handle, { target }),
  };
}

function handlerOver(log: VersionLog, catalogue: Catalogue, runtime: Runtime): Handle {
  const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
  const registry = plainRegistry({ log, runtime, vocabulary, catalogue, objects });
  const service: Service = {
    catalogue,
    objects,
    registry,
    negotiator: new Negotiator(vocabulary),
    runtime,
    vocabulary,
    features: DEFAULT_FEATURES,
    actions: new Map(),
    virtual: new Map(),
    connectors: new Map(),
    demandCreation: async () => {},
    onDeprecated() {},
    watches: new OpenWatches(catalogue),
    remotes: NO_REMOTE_VERSIONS,
    listMeter: () => ({ read() {} }),
    watchMeter: () => ({ sent() {} }),
    limits: { bodyBytes: 1 << 20, leastWatchSeconds: 1800 },
  };
  return async (request) => {
    const context = new RequestContext(request, 'test', 0);
    context.user = SERVER_USER;
    try {
      return await dispatch(service, [], context, SERVER_USER);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.code, headers: [], body: Buffer.from(JSON.stringify(statusOf(error))) };
    }
  };
}
