import type { Path } from '../../schema/path.ts';
import type { JSONSchemaProps } from './json-schema.ts';

/** A field, or an entry of a map. */
interface Segment {
  readonly name: string;
  readonly isKey: boolean;
}

/** Where below a value a path leads, with the schema of what is there, or what is wrong with the path. */
export type FieldPath =
  | { readonly segments: readonly Segment[]; readonly schema: JSONSchemaProps }
  | { readonly problem: string };

/** A dot and a name, or a quoted name in brackets; in quotes, a backslash stands before what is meant as it is. */
const SEGMENT = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** Undefined where a backslash stands before something else. */
function unquoted(text: string): string | undefined {
  let isFine = true;
  const plain = text.replace(/\\(.)/g, (_, escaped: string) => {
    isFine &&= Object.hasOwn(ESCAPES, escaped);
    return ESCAPES[escaped] ?? '';
  });
  return isFine ? plain : undefined;
}

/** Reads `.spec.labels['a.b']` along a schema: it can name fields and entries of maps, but no items of lists. */
export function readFieldPath(text: string, root: JSONSchemaProps): FieldPath {
  const segments: Segment[] = [];
  let schema = root;
  for (let at = 0; at < text.length; at = SEGMENT.lastIndex) {
    SEGMENT.lastIndex = at;
    const found = SEGMENT.exec(text);
    if (!found) return { problem: `expected a field or a quoted key at ${JSON.stringify(text.slice(at, at + 20))}` };
    const [, field, quoted = ''] = found;
    const name = field ?? unquoted(quoted);
    if (name === undefined) return { problem: `invalid string literal: ${quoted.slice(0, 100)}` };
    const next: JSONSchemaProps | undefined = below(schema, name);
    if (!next) return { problem: 'does not refer to a valid field' };
    segments.push({ name, isKey: !schema.properties });
    schema = next;
  }
  return { segments, schema };
}

function below({ properties, additionalProperties }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  if (properties) return Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The path of a problem, from that of the value. */
export const followed = (path: Path, segments: readonly Segment[]): Path =>
  segments.reduce((reached, { name, isKey }) => (isKey ? reached.key(name) : reached.child(name)), path);
