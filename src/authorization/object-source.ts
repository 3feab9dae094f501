import type { ApiObject } from '../registry/resource-type.ts';

export interface ObjectListener {
  /** A stored object, or a new version of one. */
  onSet(object: ApiObject): void;
  /** The last version of an object that is gone. */
  onRemove(object: ApiObject): void;
}

/** Tells of stored objects. */
export interface ObjectSource {
  /** Tells of every object of the resource that there is, then of every change, in order. */
  follow(resource: { readonly group: string; readonly plural: string }, listener: ObjectListener): void;
}
