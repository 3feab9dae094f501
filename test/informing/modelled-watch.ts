import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import type { ModelledPlane } from './modelled-plane.ts';
import type { SimulatedStream } from './simulated-stream.ts';
import { eventOf, type Scope, type Version } from './version-model.ts';

const BOOKMARK_MS = 60_000;

interface Line {
  readonly text: string;
  /** Everything up to this was told with it; 0 while the initial state is sent. */
  readonly revision: number;
}

interface WatchRequest {
  readonly scope: Scope;
  readonly target: string;
  /** Undefined: begins with the state. */
  readonly from: number | undefined;
}

/** One watch, with everything that a network does to it. */
export class ModelledWatch {
  readonly #plane: ModelledPlane;
  readonly #stream: SimulatedStream;
  readonly #scope: Scope;
  /** Everything up to this was told. */
  #reached: number;
  /** What is sent later is not delivered earlier. */
  #deliveredAt = 0;
  #underWay = 0;
  #isSilent = false;

  constructor(plane: ModelledPlane, stream: SimulatedStream, { scope, target, from }: WatchRequest) {
    this.#plane = plane;
    this.#stream = stream;
    this.#scope = scope;
    plane.watches.add(this);
    this.#reached = Math.max(from ?? 0, plane.versions.revision);
    this.#isSilent = this.#fails() && plane.world.chance(0.2);
    if (this.#isSilent) plane.tally.silences++;
    if (from === undefined) this.#sendState(new URL(target, 'http://plane').searchParams);
    else this.#sendSince(from);
    const seconds = Number(new URL(target, 'http://plane').searchParams.get('timeoutSeconds') ?? '300');
    plane.process.after(seconds * 1000, () => this.#finish());
    this.#scheduleBookmark();
  }

  tell(version: Version): void {
    this.#reached = version.revision;
    const event = eventOf(version, this.#scope);
    if (event) this.#send([{ text: JSON.stringify(event), revision: version.revision }]);
  }

  cut(): void {
    this.#plane.tally.cuts++;
    this.#close(new Error('the connection was cut'));
  }

  #sendState(query: URLSearchParams): void {
    const { versions, initialEvents, tally } = this.#plane;
    const revision = versions.revision;
    const added = versions.listAt(revision, this.#scope);
    const lines = added.map((object) => ({ text: JSON.stringify({ type: 'ADDED', object }), revision: 0 }));
    const isMarked = query.has('sendInitialEvents') && initialEvents === 'served';
    if (isMarked) tally.streamedStates++;
    const annotations = { [vocabularies.platform.annotations.initialEventsEnd]: 'true' };
    this.#send(isMarked ? [...lines, this.#bookmark(revision, annotations)] : lines);
  }

  #sendSince(from: number): void {
    const { versions, tally } = this.#plane;
    if (from < versions.compacted) {
      tally.forgotten++;
      this.#send([{ text: JSON.stringify({ type: 'ERROR', object: { code: 410, reason: 'Expired' } }), revision: 0 }]);
      this.#close();
      return;
    }
    const missed = versions.eventsAfter(from, this.#scope);
    if (missed.length === 0) return;
    this.#send(missed.map(({ revision, event }) => ({ text: JSON.stringify(event), revision })));
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): Line {
    const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
    const object = { kind: 'Thing', apiVersion: 'v1', metadata };
    return { text: JSON.stringify({ type: 'BOOKMARK', object }), revision };
  }

  #scheduleBookmark(): void {
    this.#plane.process.after(BOOKMARK_MS, () => {
      if (!this.#plane.watches.has(this)) return;
      this.#reached = this.#plane.versions.revision;
      this.#send([this.#bookmark(this.#reached)]);
      this.#scheduleBookmark();
    });
  }

  /** As watches end: some planes say up to where everything was told. */
  #finish(): void {
    if (this.#plane.world.chance(0.5)) this.#send([this.#bookmark(this.#plane.versions.revision)]);
    this.#close();
  }

  /** Whole or in pieces, at once or later, with luck. */
  #send(lines: readonly Line[]): void {
    if (lines.length === 0 || this.#isSilent) return;
    const { world, roughness } = this.#plane;
    if (world.chance(roughness / 20)) {
      this.#isSilent = true;
      this.#plane.tally.silences++;
      return;
    }
    for (const { bytes, revision } of this.#pieces(lines)) this.#deliver(() => this.#stream.push(bytes, revision));
    if (world.chance(roughness / 10)) this.#breakOff();
  }

  /** Amid the next event, at its beginning, or with something that is none. */
  #breakOff(): void {
    const { world, tally, versions } = this.#plane;
    tally.cuts++;
    const half = JSON.stringify({ type: 'ADDED', object: versions.listAt(versions.revision, this.#scope)[0] });
    const rest = half.slice(0, world.below(half.length));
    const garbage = world.chance(0.2) ? '\n' : '';
    this.#deliver(() => this.#stream.push(Buffer.from(rest + garbage)));
    this.#close(world.chance(0.5) ? new Error('the connection was reset') : undefined);
  }

  /** Cut anywhere, also amid a character. */
  #pieces(lines: readonly Line[]): { readonly bytes: Buffer; readonly revision: number }[] {
    const { world } = this.#plane;
    const all = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''));
    const ends: { readonly at: number; readonly revision: number }[] = [];
    let length = 0;
    for (const { text, revision } of lines) {
      length += Buffer.byteLength(text) + 1;
      ends.push({ at: length, revision });
    }
    const pieces: { readonly bytes: Buffer; readonly revision: number }[] = [];
    for (let at = 0; at < all.length; ) {
      const end = world.chance(0.8) ? all.length : Math.min(all.length, at + 1 + world.below(200));
      const revision = ends.findLast((line) => line.at <= end)?.revision ?? 0;
      pieces.push({ bytes: all.subarray(at, end), revision });
      at = end;
    }
    return pieces;
  }

  #deliver(act: () => void): void {
    const { world, process } = this.#plane;
    const delay = this.#fails() ? world.below(20_000) : 0;
    this.#deliveredAt = Math.max(this.#deliveredAt, world.elapsed + delay);
    if (this.#underWay === 0 && this.#deliveredAt <= world.elapsed) {
      act();
      return;
    }
    this.#underWay++;
    process.after(this.#deliveredAt - world.elapsed, () => {
      this.#underWay--;
      act();
    });
  }

  #close(error?: Error): void {
    if (!this.#plane.watches.delete(this) || this.#isSilent) return;
    this.#deliver(() => this.#stream.end(error));
  }

  #fails(): boolean {
    return this.#plane.world.chance(this.#plane.roughness);
  }
}
