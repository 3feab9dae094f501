import { BoundedCache } from '../../bounds/bounded-cache.ts';
import { ownBytes } from '../../bounds/own-memory.ts';
import type { Version } from '../../storage/log/version.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const END = Buffer.from('}\n');
const HEADS: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};

/** One watch event in JSON around an object's bytes, in parts. */
export const frame = (type: EventType, bytes: Buffer): readonly Buffer[] => [HEADS[type], bytes, END];

interface Frame {
  /** Those that it was made for. */
  readonly of: SharedFrames;
  readonly type: EventType;
  readonly bytes: Buffer;
}

interface Batch {
  readonly versions: readonly Version[];
  readonly bytes: Buffer;
}

type MakeFrame = (type: EventType, version: Version) => readonly Buffer[];

/** The frames of a version, by its serial: one for each encoding that somebody watches in. */
export type Frames = BoundedCache<number, readonly Frame[]>;

/** What a frame takes beside its bytes. */
const FRAME_BYTES = 300;

export const newFrames = (): Frames =>
  new BoundedCache({
    name: 'watch-frames',
    capacity: 16 << 20,
    sizeOf: (_, all) => all.reduce((sum, { bytes }) => sum + bytes.length + FRAME_BYTES, 0),
  });

/**
 * Frames of the latest versions in one encoding of one type, so that a thousand watchers of one change share one buffer: those who are
 * told within one turn always, whoever comes later while the frame is in the cache.
 */
export class SharedFrames {
  readonly #frames: Frames;
  /** Not held for longer than somebody needs it, which is this turn at least. */
  #latest: WeakRef<Batch> | undefined;

  constructor(frames: Frames = newFrames()) {
    this.#frames = frames;
  }

  of(type: EventType, version: Version, make: MakeFrame): Buffer {
    const known = this.#frames.get(version.serial) ?? [];
    for (const frame of known) if (frame.type === type && frame.of === this) return frame.bytes;
    const bytes = ownBytes(joined(make(type, version)));
    this.#frames.set(version.serial, [...known, { of: this, type, bytes }]);
    return bytes;
  }

  /** What `join` gives for a whole batch; watchers of the same scope are handed the same list, so they share it. */
  ofBatch(versions: readonly Version[], join: (versions: readonly Version[]) => Buffer): Buffer {
    const latest = this.#latest?.deref();
    if (latest?.versions === versions) return latest.bytes;
    const batch = { versions, bytes: join(versions) };
    this.#latest = new WeakRef(batch);
    return batch.bytes;
  }
}

/** The parts back to back. */
export function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
