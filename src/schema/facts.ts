/**
 * How a field tells "unset" from its zero value, and whether JSON writes it when it is unset.
 *
 * - `implicit`: zero means unset, and is left out.
 * - `always`: zero means unset, and is written (`""`, `0`, `{}`, `null` for lists and times).
 * - `optional`: unset differs from zero and is left out; zero is written.
 * - `nullable`: unset differs from zero and is written as `null`.
 * - `explicit`: unset, null and zero all differ; unset is left out, null and zero are written.
 */
export type Presence = 'implicit' | 'always' | 'optional' | 'nullable' | 'explicit';

/** A problem a check finds in a value: the reason of the cause, and what to say about it. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/**
 * Looks at one present, non-zero value. Pure. `old`: what stood in the same place before an update; undefined where nothing
 * did, or nobody can tell, as for items of lists without keys.
 */
export type Check<T> = (value: T, old: T | undefined) => Problem | readonly Problem[] | undefined;

/** How concurrent writers share a list, map or struct. */
export interface Topology {
  /** `map`: elements are told apart by `keys`. Absent: atomic, unless `mergeKey` says otherwise. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly keys?: readonly string[];
  /** Structs and maps: `atomic` has one owner as a whole. Absent: granular. */
  readonly mapType?: 'atomic' | 'granular';
  /** Strategic merge patch: how a patch list meets the stored one, and by which key. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly mergeKey?: string;
}

/** What a declaration says about a node besides its shape. */
export interface Facts<P extends Presence = Presence> {
  readonly presence: P;
  /** Listed as required in the published schema. Whether a write is refused without it is for checks to say. */
  readonly required: boolean;
  readonly default: unknown;
  /** The default appears in the published schema as well. */
  readonly publishedDefault: boolean;
  /** Left out of the published schema: a field that is newer than the release whose schema that is. */
  readonly unpublished: boolean;
  readonly allowed: readonly string[] | undefined;
  /** Published as an enumeration like `allowed`, but nothing is refused for it. */
  readonly suggested: readonly string[] | undefined;
  readonly checks: readonly Check<never>[];
  readonly topology: Topology;
}

export const PLAIN: Omit<Facts, 'presence'> = Object.freeze({
  required: false,
  default: undefined,
  publishedDefault: false,
  unpublished: false,
  allowed: undefined,
  suggested: undefined,
  checks: [],
  topology: {},
});
