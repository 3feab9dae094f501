import type { LoopKind } from '../syntax/ast.ts';
import { BOOL, DYN, INT, listOf, mapOf, type Type } from '../types/type.ts';
import { sizeOf } from './widened.ts';

/** The types of what a loop goes through. */
export interface Iterated {
  /** Of two variables, the first and the second. */
  readonly key: Type;
  readonly value: Type;
  /** Of one variable. */
  readonly single: Type;
}

export const UNKNOWN_ITEMS: Iterated = { key: DYN, value: DYN, single: DYN };

/** Undefined for a type that cannot be gone through. */
export function iterated(range: Type): Iterated | undefined {
  switch (range.kind) {
    case 'list':
      return { key: INT, value: range.item, single: range.item };
    case 'map':
      return { key: range.key, value: range.value, single: range.key };
    case 'dyn':
    case 'variable':
      return UNKNOWN_ITEMS;
    default:
      return undefined;
  }
}

/** `made` is what each turn gives: of `transformMapEntry`, a map. */
export function resultOf(loop: LoopKind, range: Type, { key, single }: Iterated, made: Type): Type {
  const size = sizeOf(range);
  const bounds = size === undefined ? {} : { size };
  switch (loop) {
    case 'filter':
      return listOf(single, bounds);
    case 'map':
    case 'transformList':
      return listOf(made, bounds);
    case 'transformMap':
      return mapOf(key, made, bounds);
    case 'transformMapEntry':
      return made.kind === 'map' ? { ...made, ...bounds } : made;
    default:
      return BOOL;
  }
}
