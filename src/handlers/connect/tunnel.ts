import type { Duplex, Readable } from 'node:stream';
import type { BodyStream, ByteSink } from '../../http/message.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** How long one side has for its last words once the other has hung up. */
const LINGER_MS = 5_000;

/** Joins a client's connection to another one after both have left HTTP. Bytes go both ways, each way at its own pace. */
export class Tunnel implements BodyStream {
  readonly #client: Readable;
  readonly #remote: Duplex;
  readonly #runtime: Runtime;

  constructor(client: Readable, remote: Duplex, runtime: Runtime) {
    this.#client = client;
    this.#remote = remote;
    this.#runtime = runtime;
    remote.on('error', () => {});
  }

  start(sink: ByteSink): void {
    const remote = this.#remote;
    remote
      .on('data', (part: Buffer) => {
        if (!sink.write(part)) remote.pause();
      })
      .on('end', () => sink.end())
      .on('close', () => this.#hangUp(sink));
    this.#client.once('end', () => this.#runtime.after(LINGER_MS, () => remote.destroy())).pipe(remote);
    if (remote.destroyed) this.#hangUp(sink);
  }

  onDrain(): void {
    this.#remote.resume();
  }

  onClose(): void {
    this.#remote.destroy();
  }

  onShutdown(): void {
    this.#remote.end(() => this.#remote.destroy());
  }

  /** What the other side said last has to arrive; what the client still says has nowhere to go. */
  #hangUp(sink: ByteSink): void {
    this.#client.unpipe(this.#remote).resume();
    sink.end();
    this.#runtime.after(LINGER_MS, () => sink.abort());
  }
}
