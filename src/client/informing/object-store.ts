import type { AnyObject } from '../plane-client.ts';

/** Under which values an object is found, if any. */
export type IndexValues<T> = (object: T) => string | readonly string[] | undefined;

export type Indexes<T, Index extends string> = { readonly [K in Index]: IndexValues<T> };

/** The objects that an informer knows, by namespace and name. They are values that others read too: nobody changes one. */
export interface ObjectStore<T extends AnyObject = AnyObject, Index extends string = never> {
  /** How many there are. */
  readonly size: number;
  /** Length of all of them as JSON. Parsed objects take several times that of memory. */
  readonly textLength: number;
  /** `namespace`: '' for objects that have none. */
  get(name: string, namespace?: string): T | undefined;
  /** In the order of namespaces and names; of all namespaces when none is given. */
  list(namespace?: string): T[];
  /** As `list`: those alone whose JSON has a text in it, read one after the other. */
  mentioning(text: string, namespace?: string): Iterable<T>;
  /** Those with a value in an index. */
  by(index: Index, value: string): T[];
}
