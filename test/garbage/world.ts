/** A reference to an owner. `kind` is apiVersion and kind. */
export interface Ref {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly blocks: boolean;
}

export interface Thing {
  readonly uid: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly Ref[];
  readonly isGoing: boolean;
  readonly finalizers: readonly string[];
}

/** All objects of kinds that are served. */
export type World = readonly Thing[];

export interface Kinds {
  isServed(kind: string): boolean;
  isNamespaced(kind: string): boolean;
}
