import type { Facts } from '../../schema/facts.ts';
import type { LooseShape, Node, ScalarShape, StructShape, Visitor } from '../../schema/node.ts';
import { escapedName } from './escapes.ts';
import { BOOL, BYTES, DOUBLE, DYN, type Field, INT, listOf, mapOf, STRING, TIMESTAMP, type Type } from './type.ts';

/**
 * The types that declarations of kinds give to values in expressions. A struct has one type for as long as this lives, so
 * that one which contains itself has a type too.
 */
export class DeclaredTypes implements Visitor<Type> {
  readonly #structs = new Map<StructShape, Type>();

  of(node: Node): Type {
    return node.accept(this);
  }

  scalar({ scalar: { published } }: ScalarShape): Type {
    switch (published.type) {
      case 'boolean':
        return BOOL;
      case 'integer':
        return INT;
      case 'number':
        return DOUBLE;
      case 'string':
        return textType(published.format);
      default:
        return DYN;
    }
  }

  struct(shape: StructShape): Type {
    const known = this.#structs.get(shape);
    if (known) return known;
    const fields = new Map<string, Field>();
    const type: Type = { kind: 'object', name: shape.name, fields };
    this.#structs.set(shape, type);
    if (shape.typed) for (const name of ['kind', 'apiVersion']) fields.set(name, { name, type: STRING });
    for (const [name, { node, inline }] of Object.entries(shape.fields)) {
      const own = this.of(node);
      if (!inline) declare(fields, name, own);
      else if (own.kind === 'object') for (const [inner, field] of own.fields) fields.set(inner, field);
    }
    return shape.rest ? DYN : type;
  }

  list({ item }: { readonly item: () => Node }): Type {
    return listOf(this.of(item()));
  }

  map({ item }: { readonly item: () => Node }): Type {
    return mapOf(STRING, this.of(item()));
  }

  /** It can look in several ways. */
  union(): Type {
    return DYN;
  }

  /** Of custom kinds: which fields there are is known, and not what their values are. */
  loose({ form, contents, isOpen }: LooseShape, _facts: Facts): Type {
    const { fields: declared, rest, item } = contents;
    if (form === 'list') return listOf(item ? this.of(item) : DYN);
    if (form !== 'object' || isOpen) return DYN;
    if (rest) return mapOf(STRING, this.of(rest));
    const fields = new Map<string, Field>();
    for (const [name, node] of declared) declare(fields, name, this.of(node));
    return { kind: 'object', name: 'object', fields };
  }
}

function declare(fields: Map<string, Field>, name: string, type: Type): void {
  const spelled = escapedName(name);
  if (spelled !== undefined) fields.set(spelled, { name, type });
}

function textType(format: string | undefined): Type {
  if (format === 'date-time') return TIMESTAMP;
  if (format === 'byte') return BYTES;
  return format === 'int-or-string' ? DYN : STRING;
}
