/** What can be printed: an object, or a list of them. */
export interface Printable {
  readonly kind: string;
  readonly apiVersion: string;
}

/** How texts of objects are written, one object after the other. */
export interface ObjectPrinter {
  /** The text of an object; `at` says how many were printed before it. */
  textOf(object: Printable, at: number): string;
}

/**
 * Where fields of JSON stand: `sorted` for what was read from a plane or a file, `given` for what a command has made, in
 * the order in which it put them. YAML is always sorted.
 */
export type KeyOrder = 'sorted' | 'given';
