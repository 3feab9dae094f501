import { badRequest } from '../../api/errors.ts';
import type { Query } from '../../request/request-info.ts';
import { isTrue } from '../../request/request-info.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { applyDefaults } from '../../schema/derive/defaults.ts';
import { TypeMismatch } from '../../schema/derive/reading.ts';
import { asValue } from '../../schema/draft.ts';
import type { Visitor } from '../../schema/node.ts';
import type { Struct, TypeMeta } from '../../schema/schema.ts';

/** Reads the values of one field; undefined for what a query cannot say. */
type ReadValues = (values: readonly string[]) => unknown;

const WHOLE_NUMBER = /^[+-]?\d+$/;

/** How a word of a query is to be understood, by the type it is published as. What does not fit is left as it is. */
const WORDS: Readonly<Record<string, (word: string) => unknown>> = {
  boolean: isTrue,
  integer: (word) => (WHOLE_NUMBER.test(word) ? Number(word) : word),
};

/** An unset option may be written with nothing behind it, unless it is text or a switch. */
const QUERY_VALUES: Visitor<ReadValues | undefined> = {
  scalar({ scalar }) {
    const { type = '' } = scalar.published;
    const read = WORDS[type] ?? ((word: string) => word);
    return ([word = '']) => (word === '' && type === 'integer' ? undefined : read(word));
  },
  list(shape) {
    const item = shape.item().accept(QUERY_VALUES);
    return item && ((values) => values.map((value) => item([value])));
  },
  map: () => undefined,
  struct: () => undefined,
  union: () => undefined,
  loose: () => undefined,
};

/** Options that came as a query, in canonical form, defaults filled in. What they do not know is ignored. Throws 400. */
export function readQueryOptions<O extends TypeMeta>(
  schema: Struct<O>,
  typeMeta: TypeMeta,
  query: Query,
  more: Readonly<Record<string, string>>,
): O {
  const document: Record<string, unknown> = {};
  for (const [name, { node }] of Object.entries(schema.shape.fields)) {
    const read = node.accept(QUERY_VALUES);
    if (read && query.has(name)) document[name] = read(query.getAll(name));
  }
  try {
    const { value } = canonicalise(schema, { ...document, ...more });
    Object.assign(value, typeMeta);
    applyDefaults(schema, value);
    return asValue(value);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw badRequest(`the query is no ${typeMeta.kind}: ${error.message}`);
  }
}
