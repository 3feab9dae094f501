import type { Catalogue } from '../registry/catalogue.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import { HEALTH_ENDPOINTS, type HealthCheck, type HealthEndpoint } from './health.ts';

type Log = Pick<VersionLog, 'current'>;

/** That the store answers within `timeoutMs`. Named after the reference's store, whichever is used here. */
export const storageCheck = (log: Log, runtime: Runtime, timeoutMs = 2_000): HealthCheck => ({
  name: 'etcd',
  endpoints: HEALTH_ENDPOINTS,
  check: () => answerWithin(log, runtime, timeoutMs),
});

/** That the store may grow. Reads and deletions work without: the process is well, but not fit for everything. */
export const roomCheck = (log: Pick<VersionLog, 'room'>): HealthCheck => ({
  name: 'storage-room',
  endpoints: ['readyz'],
  check() {
    const problem = log.room?.problem;
    if (problem !== undefined) throw new Error(problem);
  },
});

/** That the services answer which give keys to encrypt objects with. */
export const encryptionCheck = (problem: () => string | undefined): HealthCheck => ({
  name: 'kms-providers',
  endpoints: HEALTH_ENDPOINTS,
  check() {
    const found = problem();
    if (found !== undefined) throw new Error(found);
  },
});

/**
 * That it takes writes and answers, for those who send requests: they give up on a slow store sooner than on the process,
 * and a store that is full or out of reach is no reason to end a server that can still read.
 */
export const storageReadiness = (
  log: Pick<VersionLog, 'current' | 'problem'>,
  runtime: Runtime,
  timeoutMs = 1_000,
): HealthCheck => ({
  name: 'etcd-readiness',
  endpoints: ['readyz'],
  check() {
    if (log.problem !== undefined) throw new Error(log.problem);
    return answerWithin(log, runtime, timeoutMs);
  },
});

const answerWithin = (log: Log, runtime: Runtime, timeoutMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = runtime.after(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
    log
      .current()
      .then(() => resolve(), reject)
      .finally(() => timer.cancel());
  });

/** That clients can find everything that is served. */
export const discoveryCheck = (catalogue: Pick<Catalogue, 'all' | 'groups'>): HealthCheck => ({
  name: 'autoregister-completion',
  endpoints: HEALTH_ENDPOINTS,
  check() {
    const found = new Set(catalogue.groups().flatMap(({ name, versions }) => versions.map((one) => `${name}/${one}`)));
    const missing = new Set<string>();
    for (const { group, version } of catalogue.all()) {
      if (!found.has(`${group}/${version}`)) missing.add(`${group}/${version}`);
    }
    if (missing.size > 0) throw new Error(`missing from discovery: ${[...missing].join(', ')}`);
  },
});

/** That one piece of work is done which belongs to the start. */
export class StartStep implements HealthCheck {
  readonly name: string;
  readonly endpoints: readonly HealthEndpoint[];
  readonly startUp = true;
  #done = false;

  constructor(name: string, endpoints: readonly HealthEndpoint[]) {
    this.name = name;
    this.endpoints = endpoints;
  }

  finished(): void {
    this.#done = true;
  }

  check(): void {
    if (!this.#done) throw new Error('not finished');
  }
}
