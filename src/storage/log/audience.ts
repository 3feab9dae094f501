import type { Version } from './version.ts';

/** Receives versions of its scope in revision order; a batch is shared with others and must not be changed. */
export interface Subscriber {
  onVersions(versions: readonly Version[]): void;
  /**
   * Versions were lost to history before this server saw them; nothing more will come. A subscriber without this method
   * goes on, and is told of every entry that is different now, but not of the versions between.
   */
  onHistoryLost?(): void;
  /** Settles when it has room for more of what it missed; undefined when it has. It never waits for later versions. */
  room?(): Promise<unknown> | undefined;
  /** The store is out of reach, and another server may not be: nothing more will come. One without this goes on. */
  onCutOff?(): void;
}

interface Member {
  readonly subscriber: Subscriber;
  /** Versions up to this revision are not for this member: it was given them already or did not ask for them. */
  readonly since: number;
}

/** Those who subscribed to one scope of one collection. They share one batch. */
class Group {
  readonly members = new Set<Member>();
  #batch: Version[] = [];

  /** True for the first version since the last dispatch. */
  add(version: Version): boolean {
    return this.#batch.push(version) === 1;
  }

  dispatch(onError: (error: unknown) => void): void {
    const batch = this.#batch;
    this.#batch = [];
    for (const member of this.members) {
      const news = after(batch, member.since);
      if (news.length > 0) hand(news, member.subscriber, onError);
    }
  }
}

/** The subscribers of one collection, found by scope, so that a version costs only those who want it. */
export class Audience {
  readonly #groups = new Map<string, Group>();

  /** See `VersionLog.subscribe` for scopes. Returns what ends the membership. */
  join(scope: string, subscriber: Subscriber, since: number): () => void {
    const group = this.#groups.get(scope) ?? new Group();
    this.#groups.set(scope, group);
    const member: Member = { subscriber, since };
    group.members.add(member);
    return () => {
      group.members.delete(member);
      if (group.members.size === 0 && this.#groups.get(scope) === group) this.#groups.delete(scope);
    };
  }

  /** Ends the membership of those who need every version: there are some that nobody can give them. */
  dismiss(onError: (error: unknown) => void): void {
    this.#end('onHistoryLost', onError);
  }

  /** Ends the membership of those who can go to another server. */
  cutOff(onError: (error: unknown) => void): void {
    this.#end('onCutOff', onError);
  }

  /** Puts a version into the batch of every group it concerns; groups with a new batch are added to `touched`. */
  collect(version: Version, rest: string, touched: Group[]): void {
    if (this.#groups.size === 0) return;
    this.#collect('', version, touched);
    for (let slash = rest.indexOf('/'); slash !== -1; slash = rest.indexOf('/', slash + 1)) {
      this.#collect(rest.slice(0, slash + 1), version, touched);
    }
    this.#collect(rest, version, touched);
  }

  #end(how: 'onHistoryLost' | 'onCutOff', onError: (error: unknown) => void): void {
    for (const { members } of this.#groups.values()) {
      for (const member of [...members].filter(({ subscriber }) => subscriber[how])) {
        members.delete(member);
        attempt(() => member.subscriber[how]?.(), onError);
      }
    }
  }

  #collect(scope: string, version: Version, touched: Group[]): void {
    const group = this.#groups.get(scope);
    if (group?.add(version)) touched.push(group);
  }
}

export type { Group };

/** Whether an entry is within a scope: '' is everything, `a/` everything below `a`, `a/b` that entry alone. */
export const inScope = (rest: string, scope: string): boolean =>
  scope === '' || scope.endsWith('/') ? rest.startsWith(scope) : rest === scope;

/** A subscriber that throws must not harm the others. */
export function hand(versions: readonly Version[], subscriber: Subscriber, onError: (error: unknown) => void): void {
  attempt(() => subscriber.onVersions(versions), onError);
}

function attempt(action: () => void, onError: (error: unknown) => void): void {
  try {
    action();
  } catch (error) {
    onError(error);
  }
}

/** The versions later than `revision`; the very same array when that is all of them. */
function after(versions: readonly Version[], revision: number): readonly Version[] {
  const first = versions[0];
  if (first === undefined || first.revision > revision) return versions;
  return versions.filter((version) => version.revision > revision);
}
