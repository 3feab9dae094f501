import type { AnyObject } from '../../client/plane-client.ts';
import type { KindReference, ObjectKind } from '../../client/typed/object-kind.ts';
import { parseDuration } from '../../settings/units.ts';

/** Found out from an object. As a method, so that stages of one kind can be among stages of any. */
type OfObject<T, R> = { of(object: T): R }['of'];

/** Which objects of a kind are in a stage: those that fit everything that is given. */
export interface StageSelector<T extends AnyObject = AnyObject> {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** By path, such as `status.phase`: a value, or several of which it has one. Numbers and truth values as text. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Paths at which there is something: not absent, null, '' or an empty list or object. */
  readonly present?: readonly string[] | undefined;
  readonly absent?: readonly string[] | undefined;
  /** By type, the status of a condition. One that is not there is `Unknown`. */
  readonly conditions?: Readonly<Record<string, string>> | undefined;
  /** Whatever else; in code alone. */
  readonly matches?: OfObject<T, boolean> | undefined;
}

/** Milliseconds, or as Go writes it (`90s`). */
export type Duration = number | string;

/** How long an object is in a stage: a time, or a random one between two, which is the same for the same seed and name. */
export type Delay = Duration | { readonly from: Duration; readonly to: Duration };

/** A condition to have in the status. When it came to be so is noted. */
export interface StageCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * What becomes of an object at the end of a stage. In texts `$(now)`, `$(name)`, `$(namespace)` and `$(uid)` stand for
 * what they say of the object.
 */
export interface StageOutcome {
  /** Changes of the object, as a merge patch; its status apart. */
  readonly patch?: object | undefined;
  /** Changes of the status, as a merge patch. */
  readonly status?: object | undefined;
  readonly conditions?: readonly StageCondition[] | undefined;
  readonly finalizers?: { readonly add?: readonly string[]; readonly remove?: readonly string[] } | undefined;
  /** An event about the object. */
  readonly event?: StageEvent | undefined;
  /** Deletes it, at last: with no grace left. */
  readonly delete?: boolean | undefined;
}

export interface StageEvent {
  readonly type?: 'Normal' | 'Warning' | undefined;
  readonly reason: string;
  readonly message?: string | undefined;
}

/** A step in the life of objects: who is in it, how long, and what then becomes of them. */
export interface Stage<T extends AnyObject = AnyObject> {
  readonly name: string;
  readonly kind: ObjectKind<T> | KindReference;
  readonly when: StageSelector<T>;
  /** None unless given; for each object another where it is a function. */
  readonly delay?: Delay | OfObject<T, Delay> | undefined;
  readonly next: StageOutcome | OfObject<T, StageOutcome | Promise<StageOutcome>>;
}

/** Declares a stage. Throws where it could never be gone through. */
export function stage<T extends AnyObject>(declared: Stage<T>): Stage<T> {
  if (declared.name === '') throw new TypeError('a stage must have a name');
  if (typeof declared.delay !== 'function') delayRange(declared.delay ?? 0);
  return Object.freeze({ ...declared });
}

/** The least and the most of a delay, in milliseconds. */
export function delayRange(delay: Delay): { readonly from: number; readonly to: number } {
  const range = typeof delay === 'object' ? delay : { from: delay, to: delay };
  const [from, to] = [milliseconds(range.from), milliseconds(range.to)];
  if (from > to) throw new TypeError(`a delay cannot be from ${range.from} to ${range.to}`);
  return { from, to };
}

export function milliseconds(duration: Duration): number {
  const read = typeof duration === 'number' ? duration : parseDuration(duration);
  if (read === undefined || !(read >= 0)) throw new TypeError(`"${duration}" is no duration such as 90s or 1h30m`);
  return read;
}
