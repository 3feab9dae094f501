/** Words that no field can be named by in an expression. */
const RESERVED = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const PLAIN = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const ESCAPABLE = /^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/;

/** How a field is named in expressions; undefined for a name that cannot be spelled there. */
export function escapedName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!ESCAPABLE.test(name)) return undefined;
  if (PLAIN.test(name) && !name.includes('__')) return name;
  return name.replace(/__|[.\-/]/g, (part) => ESCAPES[part] ?? part);
}
