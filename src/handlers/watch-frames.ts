import type { Version } from '../storage/version.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const END = Buffer.from('}\n');
const HEADS: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};

/** One watch event around an object's bytes. */
export const frame = (type: EventType, bytes: Buffer): Buffer => Buffer.concat([HEADS[type], bytes, END]);

const SLOTS = 256;

interface Slot {
  readonly version: Version;
  readonly type: EventType;
  readonly bytes: Buffer;
}

/**
 * Frames of the latest versions, so that a thousand watchers of one change share one buffer. Bounded: whoever comes
 * later than the last few hundred changes has the frame made anew.
 */
export class SharedFrames {
  private readonly slots: (Slot | undefined)[] = new Array(SLOTS);
  private batch: { readonly versions: readonly Version[]; readonly bytes: Buffer } | undefined;

  of(type: EventType, version: Version): Buffer {
    const at = version.revision % SLOTS;
    const slot = this.slots[at];
    if (slot && slot.version === version && slot.type === type) return slot.bytes;
    const bytes = frame(type, version.bytes);
    this.slots[at] = { version, type, bytes };
    return bytes;
  }

  /** The frames of a whole batch back to back; watchers of the same scope are handed the same list, so they share it. */
  ofBatch(versions: readonly Version[], typeOf: (version: Version) => EventType): Buffer {
    const [only] = versions;
    if (versions.length === 1 && only) return this.of(typeOf(only), only);
    if (this.batch?.versions === versions) return this.batch.bytes;
    const bytes = Buffer.concat(versions.map((version) => this.of(typeOf(version), version)));
    this.batch = { versions, bytes };
    return bytes;
  }
}
