import type { Runtime } from '../runtime.ts';
import type { VersionLog } from '../storage/version-log.ts';
import { HEALTH_ENDPOINTS, type HealthCheck } from './health.ts';

/** That the store answers within `timeoutMs`. Named after the reference's store, whichever is used here. */
export const storageCheck = (log: Pick<VersionLog, 'current'>, runtime: Runtime, timeoutMs = 2_000): HealthCheck => ({
  name: 'etcd',
  endpoints: HEALTH_ENDPOINTS,
  check: () =>
    new Promise((resolve, reject) => {
      const timer = runtime.after(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
      log
        .current()
        .then(() => resolve(), reject)
        .finally(() => timer.cancel());
    }),
});

/** That one piece of work which follows the start of the listener is done. */
export class PostStartHook implements HealthCheck {
  readonly name: string;
  readonly endpoints = HEALTH_ENDPOINTS;
  readonly startUp = true;
  #done = false;

  constructor(name: string) {
    this.name = `poststarthook/${name}`;
  }

  finished(): void {
    this.#done = true;
  }

  check(): void {
    if (!this.#done) throw new Error('not finished');
  }
}
