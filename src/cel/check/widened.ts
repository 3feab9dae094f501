import type { Type } from '../types/type.ts';

export const sizeOf = (type: Type): number | undefined => ('size' in type ? type.size : undefined);

/** A type of the same shape whose values are as large as those of both. */
export function widened(type: Type, other: Type): Type {
  if (type.kind !== 'string' && type.kind !== 'bytes' && type.kind !== 'list' && type.kind !== 'map') return type;
  const { size: _, missing: __, ...plain } = type;
  const [a, b] = [sizeOf(type), sizeOf(other)];
  return a === undefined || b === undefined ? plain : { ...plain, size: Math.max(a, b) };
}
