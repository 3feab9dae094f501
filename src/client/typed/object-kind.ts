import type { AnyObject } from '../plane-client.ts';
import type { NamedKind } from '../served-kind.ts';

/** What a kind is called. Groups of built-in kinds are in the neutral spelling; a client translates them for its plane. */
export interface KindNames<Namespaced extends boolean = boolean> extends NamedKind {
  readonly namespaced: Namespaced;
}

/** A kind that a client can be asked for, with the type of its objects. */
export interface ObjectKind<T extends AnyObject = AnyObject, Namespaced extends boolean = boolean>
  extends KindNames<Namespaced> {
  /** In types alone; never set. */
  readonly type?: T;
}

/** The type of the objects of a kind: `ObjectOf<typeof Pod>` is `Pod`. */
export type ObjectOf<K> = K extends { readonly type?: infer T } ? T : never;

/** A kind by what its objects say of themselves. The rest is asked from the plane. */
export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Kinds of one version of a group. */
export const inGroup = (group: string, version: string) => ({
  namespaced: <T extends AnyObject>(kind: string, plural: string): ObjectKind<T, true> =>
    Object.freeze({ group, version, plural, kind, namespaced: true }),
  clusterWide: <T extends AnyObject>(kind: string, plural: string): ObjectKind<T, false> =>
    Object.freeze({ group, version, plural, kind, namespaced: false }),
});

/** A value of the schema language; only its type is used. */
interface TypedSchema<T> {
  readonly shape: { readonly type: T };
}

/**
 * A kind that users define, with the type that a schema gives its objects, or the one that is named:
 * `customKind<Backup>({ ... })`.
 */
export function customKind<T extends AnyObject, Namespaced extends boolean = boolean>(
  names: KindNames<Namespaced>,
  schema: TypedSchema<T>,
): ObjectKind<T, Namespaced>;
export function customKind<T extends AnyObject>(names: KindNames<true>): ObjectKind<T, true>;
export function customKind<T extends AnyObject>(names: KindNames<false>): ObjectKind<T, false>;
export function customKind({ group, version, plural, kind, namespaced }: KindNames): ObjectKind {
  return Object.freeze({ group, version, plural, kind, namespaced });
}
