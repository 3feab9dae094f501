import type { Ownership, OwnershipListener } from '../meta/dependents.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { View } from '../storage/log/entries.ts';
import type { Version } from '../storage/log/version.ts';
import type { Subscription } from '../storage/log/version-log.ts';
import { ownershipOf } from './facets.ts';
import type { Informer, KindFollowing } from './informer.ts';
import { identityOf } from './keys.ts';
import type { Kind } from './kind.ts';
import type { Objects } from './objects.ts';
import { storedUid } from './stored-ownership.ts';

export interface OwnershipParts {
  readonly objects: Objects;
  readonly informer: Informer;
  readonly runtime: Runtime;
}

/** So many stored objects are looked at between two looks at the clock. */
const BATCH = 64;

/**
 * Tells of owners and dependents: those there are, over as many turns as it takes, and every change from the first moment
 * on. No object is parsed for it, and nothing is kept.
 */
export class OwnershipFeed {
  readonly #parts: OwnershipParts;
  readonly #listener: OwnershipListener;
  readonly #following: { close(): void };
  /** What is still to be told of what there was when a kind was first followed. */
  readonly #unread: { readonly kind: Kind; readonly view: View }[] = [];
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: OwnershipParts, listener: OwnershipListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.#following = parts.informer.followKinds(() => new KindOwnership(this));
  }

  /** Settles when everything there is has been told; undefined when it has. */
  whenComplete(): Promise<void> | undefined {
    return this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#following.close();
  }

  /** Tells of everything of a kind from now on. */
  begin(kind: Kind): Subscription | undefined {
    const { objects } = this.#parts;
    if (!this.#listener.concerns(kind)) return undefined;
    this.#unread.push({ kind, view: objects.view(kind.storage) });
    this.#reading ??= this.#read();
    return objects.subscribe(
      kind.storage,
      { after: objects.revision },
      {
        onVersions: (versions) => {
          for (const version of versions) this.#tellChange(kind, version);
        },
      },
    );
  }

  /** The first look is for a later turn: whoever begins to follow is not held up. */
  async #read(): Promise<void> {
    const { runtime } = this.#parts;
    await new Promise<void>((resolve) => runtime.soon(resolve));
    const rest = restEveryTurn(runtime);
    for (let next = this.#unread.shift(); next && !this.#isClosed; next = this.#unread.shift()) {
      const { kind, view } = next;
      while (!view.done && !this.#isClosed) {
        for (const version of view.next(BATCH)) this.#tellPresent(kind, version);
        await rest();
      }
    }
    this.#reading = undefined;
  }

  #tellPresent(kind: Kind, version: Version): void {
    const ownership = ownershipOf(version);
    // What has changed meanwhile was told as a change.
    if (ownership && this.#isNewest(kind, version)) this.#tellSet(kind, version, ownership);
  }

  #isNewest(kind: Kind, version: Version): boolean {
    const { namespace, name } = identityOf(kind.storage, version.key);
    return this.#parts.objects.find(kind, namespace, name) === version;
  }

  #tellChange(kind: Kind, version: Version): void {
    if (version.deleted) {
      this.#tellRemoval(kind, version);
      return;
    }
    const { previous } = version;
    const ownership = ownershipOf(version);
    const before = ownership || !previous || previous.deleted ? undefined : ownershipOf(previous);
    if (ownership) this.#tellSet(kind, version, ownership);
    else if (before) this.#tellSet(kind, version, { ...UNOWNED, uid: before.uid });
  }

  #tellRemoval({ storage }: Kind, version: Version): void {
    const { group, kind } = storage;
    this.#listener.onRemove({ uid: storedUid(version.bytes), group, kind, ...identityOf(storage, version.key) });
  }

  #tellSet({ group, plural, storage }: Kind, { key, revision }: Version, ownership: Ownership): void {
    const resourceVersion = String(revision);
    this.#listener.onSet({ group, plural, ...identityOf(storage, key), resourceVersion, ...ownership });
  }
}

const UNOWNED = { owners: [], isGoing: false, propagation: 'Background' } as const;

/** Follows the collection of one kind. */
class KindOwnership implements KindFollowing {
  readonly #feed: OwnershipFeed;
  #collection: string | undefined;
  #subscription: Subscription | undefined;

  constructor(feed: OwnershipFeed) {
    this.#feed = feed;
  }

  turnTo(kind: Kind | undefined): void {
    if (this.#collection === kind?.collection) return;
    this.#subscription?.close();
    this.#collection = kind?.collection;
    this.#subscription = kind && this.#feed.begin(kind);
  }

  close(): void {
    this.#subscription?.close();
  }
}
