/**
 * Which keys of etcd are ours: everything below the prefix. Objects are where the reference has them,
 * `<prefix>/<collection>/<rest>`; what the servers remember beside them is below `<prefix>/.store/`, a name that no
 * collection can have.
 */
export interface Layout {
  /** The first of our keys, and the first after them. */
  readonly first: string;
  readonly end: string;
  /** Says what the data is: format and vocabulary. */
  readonly identity: string;
  /** What the servers have in common beside objects. */
  readonly authority: string;
  /** When the data became one of the present format, if it was of another before. */
  readonly upgraded: string;
  /** Changed by every write for servers of the former format; holds what a deletion left. */
  readonly head: string;
  /** The last state of the object that was deleted last: changed by every deletion, in the same transaction. */
  readonly deleted: string;
  /** Changed by a server that wants to know how far the watch has come while others use the same etcd. */
  readonly mark: string;
  /** How far history has been given up, as text that compares like the number. */
  readonly compaction: string;
  /** Changed by every write that has the guard. */
  guardOf(name: string): string;
  keyOf(key: string): string;
  /** The key of an object; undefined for what the servers remember. */
  objectOf(key: string): string | undefined;
}

export function layoutBelow(prefix: string): Layout {
  const own = `${prefix}/.store/`;
  return {
    first: `${prefix}/`,
    // The character after the slash: the first key that does not start with it.
    end: `${prefix}0`,
    identity: `${own}identity`,
    authority: `${own}authority`,
    upgraded: `${own}upgraded`,
    head: `${own}head`,
    deleted: `${own}deleted`,
    mark: `${own}mark`,
    compaction: `${own}compaction`,
    guardOf: (name) => `${own}guards/${name}`,
    keyOf: (key) => prefix + key,
    objectOf: (key) => (key.startsWith(own) ? undefined : key.slice(prefix.length)),
  };
}

const DIGITS = 16;

export const comparableRevision = (revision: number): string => String(revision).padStart(DIGITS, '0');
