import type { OpenByteStream } from '../../src/client/informing/informed-plane.ts';
import type { Send } from '../../src/client/plane-client.ts';
import type { InjectedStream } from '../../src/http/inject.ts';
import { SimulatedProcess, type SimulatedWorld } from '../histories/simulated-world.ts';
import { SimulatedStream } from './simulated-stream.ts';

export interface NetworkTally {
  requests: number;
  failures: number;
  cuts: number;
  silences: number;
}

/** Between a client and a plane that answers in this process. */
export class FaultyNetwork {
  readonly tally: NetworkTally = { requests: 0, failures: 0, cuts: 0, silences: 0 };
  roughness: number;
  readonly #world: SimulatedWorld;
  readonly #process: SimulatedProcess;
  readonly #answer: (method: string, target: string, accept: string) => Promise<InjectedStream>;
  readonly #wires = new Set<Wire>();

  constructor(
    world: SimulatedWorld,
    roughness: number,
    answer: (method: string, target: string, accept: string) => Promise<InjectedStream>,
  ) {
    this.#world = world;
    this.#process = new SimulatedProcess(world);
    this.roughness = roughness;
    this.#answer = answer;
  }

  /** Some connections end, and some are never heard of again. */
  disturb(): void {
    for (const wire of this.#wires) {
      if (!this.#fails()) continue;
      if (this.#world.chance(0.3)) {
        this.tally.silences++;
        wire.isSilent = true;
      } else {
        this.tally.cuts++;
        wire.cut(this.#world.below(80));
      }
    }
  }

  readonly send: Send = async ({ method, target, accept = 'application/json' }) => {
    await this.#travel();
    const { status, body } = await this.#answer(method, target, accept);
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    await this.#travel();
    return { status, body: Buffer.concat(parts) };
  };

  readonly openStream: OpenByteStream = async (target, accept) => {
    await this.#travel();
    const answer = await this.#answer('GET', target, accept);
    const wire = new Wire(answer, () => this.#wires.delete(wire));
    this.#wires.add(wire);
    await this.#travel();
    return wire.stream;
  };

  async #travel(): Promise<void> {
    this.tally.requests++;
    if (this.#fails()) {
      this.tally.failures++;
      if (this.#world.chance(0.3)) await new Promise(() => undefined);
      if (this.#world.chance(0.5)) throw new Error('the connection was cut');
      await this.#wait(this.#world.below(100_000));
    }
    await this.#wait(this.#world.below(100));
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#process.after(milliseconds, resolve);
    });
  }

  #fails(): boolean {
    return this.#world.chance(this.roughness);
  }
}

/** One answer that is streamed. */
class Wire {
  readonly stream: SimulatedStream;
  isSilent = false;
  /** How many bytes pass before it is cut; undefined: it is not. */
  #left: number | undefined;

  constructor({ status, body }: InjectedStream, onEnd: () => void) {
    this.stream = new SimulatedStream(status);
    void this.#carry(body).finally(onEnd);
  }

  /** After so many bytes more, amid an event where one is under way. */
  cut(after: number): void {
    this.#left ??= after;
    if (after === 0) this.stream.end(new Error('the connection was reset'));
  }

  async #carry(body: AsyncIterable<Buffer>): Promise<void> {
    for await (const part of body) {
      if (this.stream.isOver) return;
      if (this.isSilent) continue;
      this.stream.push(this.#left === undefined ? part : part.subarray(0, this.#left));
      if (this.#left === undefined) continue;
      if (part.length >= this.#left) return this.stream.end(new Error('the connection was reset'));
      this.#left -= part.length;
    }
    if (!this.isSilent) this.stream.end();
  }
}
