import type { UserInfo } from '../../src/api/user.ts';
import { type InjectedStream, injectStream } from '../../src/http/inject.ts';
import { Closing } from '../../src/runtime/closing.ts';
import type { Runtime, Timer } from '../../src/runtime/runtime.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { planPlane } from '../../src/server/plan.ts';
import { assemblePlane } from '../../src/server/plane.ts';
import { openStorage } from '../../src/server/storage.ts';
import { SimulatedProcess, type SimulatedWorld } from '../histories/simulated-world.ts';

/** Time of a simulation for a server: what needs none goes on by itself. */
class ServerRuntime implements Runtime {
  readonly #process: SimulatedProcess;

  constructor(world: SimulatedWorld) {
    this.#process = new SimulatedProcess(world);
  }

  now = (): number => this.#process.now();
  monotonic = (): number => this.#process.monotonic();
  after = (milliseconds: number, callback: () => void): Timer => this.#process.after(milliseconds, callback);
  random = (): number => this.#process.random();
  soon = systemRuntime.soon;
  uuid = systemRuntime.uuid;
  bytes = systemRuntime.bytes;
}

export interface RealPlane {
  answer(method: string, target: string, accept: string, body?: object): Promise<InjectedStream>;
  close(): Promise<void>;
}

/** A server of ours, whole but for its port, on the clock of a simulation. It forgets history after two minutes. */
export async function startRealPlane(world: SimulatedWorld): Promise<RealPlane> {
  const closing = new Closing();
  const plan = await planPlane({
    storage: 'memory',
    runtime: new ServerRuntime(world),
    historyRetention: 120_000,
    controllers: ['-*'],
  });
  closing.add(() => plan.close());
  const log = await openStorage(plan);
  closing.add(() => log.close());
  const plane = await assemblePlane(log, plan);
  closing.add(() => plane.close());
  const published = await plane.publish({ address: undefined, port: plan.settings.securePort });
  closing.add(() => published.close());
  const handle = plane.handleAt('');
  const identity: UserInfo = plane.admin;
  return {
    answer: (method, target, accept, body) => {
      const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
      return injectStream(handle, { method, target, headers, identity, ...(body && { body: JSON.stringify(body) }) });
    },
    close: () => closing.run(),
  };
}
