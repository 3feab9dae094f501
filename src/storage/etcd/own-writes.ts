import type { Runtime } from '../../runtime.ts';
import type { StoredVersion } from '../backend.ts';
import type { Change } from './changes.ts';
import { nextSerial, type Origin, WRITER_BYTES } from './value.ts';

/** A write of this server that is on its way. */
export interface OwnWrite {
  readonly origin: Origin;
  readonly facets: unknown;
  /** The revision it has come back with, once it has. */
  seen: number | undefined;
}

/** Recognises what this server wrote when it comes back. */
export class OwnWrites {
  readonly #writer: number;
  readonly #bySerial = new Map<number, OwnWrite>();
  #serial = 0;

  constructor(runtime: Runtime) {
    this.#writer = runtime.bytes(WRITER_BYTES).readUIntBE(0, WRITER_BYTES);
  }

  begin(facets: unknown): OwnWrite {
    this.#serial = nextSerial(this.#serial);
    const write: OwnWrite = { origin: { writer: this.#writer, serial: this.#serial }, facets, seen: undefined };
    this.#bySerial.set(this.#serial, write);
    return write;
  }

  end({ origin }: OwnWrite): void {
    this.#bySerial.delete(origin.serial);
  }

  /** The version, with what its writer knew about it if that was this server. */
  recognise({ version, origin }: Change): StoredVersion {
    const write = origin.writer === this.#writer ? this.#bySerial.get(origin.serial) : undefined;
    if (write === undefined) return version;
    write.seen = version.revision;
    return { ...version, facets: write.facets };
  }
}
