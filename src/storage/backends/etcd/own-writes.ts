import { PassingMap } from '../../../runtime/passing-map.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { StoredVersion } from '../../backend.ts';
import type { EtcdEvent } from './changes.ts';
import { nextSerial, type Origin, WRITER_BYTES } from './value.ts';

/** A write of this server that is on its way. */
export interface OwnWrite {
  readonly origin: Origin;
  readonly facets: unknown;
  /** The revision it has come back with, once it has. */
  seen: number | undefined;
  /** Called when everything has been told up to where it has come back. */
  onTold(revision: number): void;
}

/** Recognises what this server wrote when it comes back. */
export class OwnWrites {
  readonly #writer: number;
  readonly #bySerial = new PassingMap<number, OwnWrite>();
  #serial = 0;

  constructor(runtime: Runtime) {
    this.#writer = runtime.bytes(WRITER_BYTES).readUIntBE(0, WRITER_BYTES);
  }

  /** How many are on their way. */
  get size(): number {
    return this.#bySerial.size;
  }

  begin(facets: unknown): OwnWrite {
    this.#serial = nextSerial(this.#serial);
    const origin = { writer: this.#writer, serial: this.#serial };
    const write: OwnWrite = { origin, facets, seen: undefined, onTold: () => undefined };
    this.#bySerial.set(this.#serial, write);
    return write;
  }

  end({ origin }: OwnWrite): void {
    this.#bySerial.delete(origin.serial);
  }

  /** Hands on versions, each with what its writer knew about it if that was this server; then tells the writers. */
  pass(changes: readonly EtcdEvent[], deliver: (versions: readonly StoredVersion[]) => void): void {
    const told: OwnWrite[] = [];
    deliver(changes.map((change) => this.#recognise(change, told)));
    for (const write of told) write.onTold(write.seen ?? 0);
  }

  #recognise({ version, origin }: EtcdEvent, told: OwnWrite[]): StoredVersion {
    const write = origin.writer === this.#writer ? this.#bySerial.get(origin.serial) : undefined;
    if (write === undefined) return version;
    write.seen = version.revision;
    told.push(write);
    const { revision, key, bytes, deleted, time } = version;
    return { revision, key, bytes, deleted, time, facets: write.facets };
  }
}
