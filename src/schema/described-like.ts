import type { Node, StructShape } from './node.ts';
import type { Fields } from './schema.ts';

/**
 * Fields that mean what fields of the same name mean in another type: those without a description take the one that
 * `model` gives. For types that differ from `model` in something else, such as numbers or how lists are shared.
 */
export function describedLike<const F extends Fields>(model: Pick<Node<StructShape>, 'shape'>, fields: F): F;
export function describedLike({ shape }: Pick<Node<StructShape>, 'shape'>, fields: Fields): Fields {
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    { ...field, description: field.description ?? shape.fields[name]?.description },
  ]);
  return Object.fromEntries(described);
}
