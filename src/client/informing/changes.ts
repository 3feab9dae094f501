import type { AnyObject } from '../plane-client.ts';

/** What happened to an object. */
export type Change<T extends AnyObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'changed'; readonly object: T; readonly before: T }
  /** `object`: the last version of it that is known. */
  | { readonly type: 'removed'; readonly object: T };

/** Called with changes in order. The store is as new as the change, or newer. */
export interface ChangeHandlers<T extends AnyObject> {
  added?(object: T): void;
  changed?(object: T, before: T): void;
  removed?(object: T): void;
}

export function callHandler<T extends AnyObject>(handlers: ChangeHandlers<T>, change: Change<T>): void {
  if (change.type === 'added') handlers.added?.(change.object);
  else if (change.type === 'removed') handlers.removed?.(change.object);
  else handlers.changed?.(change.object, change.before);
}
