import type { Client } from '../client/index.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Server } from '../server/server.ts';
import type { RequestFilter, RequestHooks } from './interception.ts';

/** What chaos, recordings and expectations use of a test plane. */
export interface PlaneUnderTest {
  readonly server: Server;
  readonly runtime: Runtime;
  readonly client: Client;
  intercept(filter: RequestFilter, hooks: RequestHooks): Disposable;
  /** Lets time pass on a manual clock. */
  advance(duration: number | string): Promise<void>;
}
