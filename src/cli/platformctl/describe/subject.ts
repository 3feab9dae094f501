import type { AnyObject } from '../../../client/plane-client.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { ServedResource } from '../resources/served-resources.ts';
import type { Plane } from './plane.ts';
import type { Sheet } from './sheet.ts';

/** An object that is described. */
export interface Subject<T> {
  readonly object: T;
  readonly resource: ServedResource;
  /** Where what belongs to it is found. */
  readonly plane: Plane;
  readonly vocabulary: Vocabulary;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes what there is to tell about an object, besides its events. */
export type Describe<T> = (sheet: Sheet, subject: Subject<T>) => void | Promise<void>;

/** How objects of a kind are described. */
export interface Describer {
  /** Its caller knows that the object is of that kind. */
  describe: Describe<AnyObject>;
  /** Events that are about an object are found by what it is; false where none are shown. */
  readonly events: boolean;
}

/** A describer of one kind; what is given to it has been found as one of that kind. */
export const describer = <T extends AnyObject>(describe: Describe<T>, events = true): Describer => ({
  describe: describe as Describe<AnyObject>,
  events,
});
