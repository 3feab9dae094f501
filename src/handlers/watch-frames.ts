import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const END = Buffer.from('}\n');
const HEADS: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};

/** One watch event in JSON around an object's bytes. */
export const frame = (type: EventType, bytes: Buffer): Buffer => Buffer.concat([HEADS[type], bytes, END]);

const SLOTS = 256;

interface Slot {
  readonly version: Version;
  readonly type: EventType;
  readonly bytes: Buffer;
}

type MakeFrame = (type: EventType, version: Version) => Buffer;

/**
 * Frames of the latest versions in one encoding, so that a thousand watchers of one change share one buffer. Bounded:
 * whoever comes later than the last few hundred changes has the frame made anew.
 */
export class SharedFrames {
  private readonly slots: (Slot | undefined)[] = new Array(SLOTS);
  private batch: { readonly versions: readonly Version[]; readonly bytes: Buffer } | undefined;

  of(type: EventType, version: Version, make: MakeFrame): Buffer {
    const at = version.revision % SLOTS;
    const slot = this.slots[at];
    if (slot && slot.version === version && slot.type === type) return slot.bytes;
    const bytes = make(type, version);
    this.slots[at] = { version, type, bytes };
    return bytes;
  }

  /** The frames of a whole batch back to back; watchers of the same scope are handed the same list, so they share it. */
  ofBatch(versions: readonly Version[], typeOf: (version: Version) => EventType, make: MakeFrame): Buffer {
    const [only] = versions;
    if (versions.length === 1 && only) return this.of(typeOf(only), only, make);
    if (this.batch?.versions === versions) return this.batch.bytes;
    const bytes = Buffer.concat(versions.map((version) => this.of(typeOf(version), version, make)));
    this.batch = { versions, bytes };
    return bytes;
  }
}

const shared = new WeakMap<VersionLog, Map<string, SharedFrames>>();

/** The frames that watchers of a log share in the encoding of this name. */
export function sharedFrames(log: VersionLog, name: string): SharedFrames {
  const byName = shared.get(log) ?? new Map<string, SharedFrames>();
  const frames = byName.get(name) ?? new SharedFrames();
  byName.set(name, frames);
  shared.set(log, byName);
  return frames;
}
