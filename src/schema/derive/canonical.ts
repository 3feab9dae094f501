import type { Draft } from '../draft.ts';
import type { Node } from '../node.ts';
import { readerOf } from './readers.ts';
import { Trail } from './reading.ts';

/**
 * Canonical form: the fields a struct declares and no others, in declared order, unset ones left out or written as
 * their declaration says, scalars in their one spelling. `JSON.stringify` of a canonical value is what the server stores
 * and sends, so two equal objects are equal bytes.
 */

type Typed<T> = Node & { readonly shape: { readonly type: T } };

/** A canonical value and the paths of fields that were dropped because no declaration knows them. */
export interface Canonical<T> {
  readonly value: Draft<T>;
  readonly unknown: readonly string[];
}

/**
 * Brings any JSON value into canonical form, or throws a TypeMismatch with the exact path. The input is not changed, and
 * the result shares with it nothing but values of any form, which are kept as they came. Of what is the very same in
 * `before`, which is canonical, a mere copy is made.
 */
export function canonicalise<T>(node: Typed<T>, value: unknown, before?: unknown): Canonical<T> {
  const trail = new Trail('copied');
  const read = readerOf(node).read(value, trail, before);
  return { value: read as Draft<T>, unknown: trail.unknown };
}

/**
 * As `canonicalise`, of a JSON value that nobody else holds: it becomes the draft itself, its fields in the order they came in, which a
 * draft need not mind. No two parts of it may be the very same.
 */
export function adopt<T>(node: Typed<T>, value: unknown): Canonical<T> {
  const trail = new Trail('adopted');
  const read = readerOf(node).read(value, trail, undefined);
  return { value: read as Draft<T>, unknown: trail.unknown };
}

/**
 * The paths of fields that no declaration knows, or throws a TypeMismatch: `canonicalise` for those who want no copy. What
 * the value has in common with `known` has been looked at before.
 */
export function findUnknown(node: Node, value: unknown, known?: unknown): readonly string[] {
  const trail = new Trail('kept');
  readerOf(node).read(value, trail, known);
  return trail.unknown;
}

/** As `canonicalise`, but keeps all parts that are canonical already: at best the result is what was given. */
export const settle = <T>(node: Typed<T>, value: unknown, known?: T): T =>
  readerOf(node).read(value, new Trail('kept'), known) as T;

/** As `settle`, of a draft that nobody else holds: it becomes the value itself, but for parts whose fields have to move. */
export const arrange = <T>(node: Typed<T>, draft: Draft<T>): T =>
  readerOf(node).read(draft, new Trail('arranged'), undefined) as T;
