import { hostname } from 'node:os';
import type { Deadline } from '../../runtime/deadline.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Controller } from '../controlling/reconciler.ts';
import type { PlaneClient } from '../plane-client.ts';
import { Leadership } from './leadership.ts';
import type { LeaseTimes } from './lease.ts';
import { ServedLease } from './served-lease.ts';

/** Those of the original's client. */
export const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, termMs: 10_000, periodMs: 2_000 };

export interface LeadOptions {
  readonly runtime: Runtime;
  readonly client: PlaneClient;
  readonly vocabulary: Pick<Vocabulary, 'groups'>;
  /** The Lease that candidates stand for. It is created when there is none. */
  readonly namespace: string;
  readonly name: string;
  /** Of one life of one process; made of the name of the machine and of chance unless given. */
  readonly identity?: string;
  readonly times?: LeaseTimes;
  /**
   * Called when leadership is gained, each time. The signal is aborted when it is lost or given up; another may lead as
   * soon as the term is over, whether or not this has ended, so whoever writes asks `term.check()` before.
   */
  run(signal: AbortSignal, term: Deadline): Promise<void>;
  onHolder?(identity: string): void;
  onError?(error: unknown): void;
}

/** Stands for leadership until it is closed, and then lets another lead. */
export function lead({ client, vocabulary, namespace, name, run, ...options }: LeadOptions): Leadership {
  const { runtime, identity = `${hostname()}_${runtime.uuid()}`, times = LEASE_TIMES, onHolder } = options;
  const onError = (error: unknown): void => options.onError?.(error);
  return new Leadership({
    lease: new ServedLease(client, vocabulary, { namespace, name }),
    identity,
    runtime,
    times,
    onError,
    ...(onHolder && { onHolder }),
    begin: (term) => [runUntilClosed((signal) => run(signal, term), onError)],
  });
}

function runUntilClosed(run: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void): Controller {
  const abort = new AbortController();
  const running = (async () => run(abort.signal))().catch((error: unknown) => {
    if (!abort.signal.aborted) onError(error);
  });
  return {
    async close() {
      abort.abort();
      await running;
    },
  };
}
