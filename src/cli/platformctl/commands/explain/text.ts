import { CommandError } from '../../frame/failure.ts';
import type { Schema, Schemas } from './schema.ts';

const INDENT = '    ';
const WIDTH = 76;
const MOST_CHOICES = 4;

/** What is explained. */
export interface Explained {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const headText = ({ group, version, kind }: Explained): string =>
  `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n\n`;

/** The description of a kind, or of a field of it, with the fields that it has. */
export function explanationText(schemas: Schemas, root: Schema, path: readonly string[], recursive: boolean): string {
  const schema = schemaAt(schemas, root, path);
  const field = path.at(-1);
  const { schema: structure, name } = schemas.structure(schema);
  const descriptions = [schema.description, structure === schema ? undefined : structure.description];
  const described = descriptions.filter((text): text is string => text !== undefined && text !== '');
  const fields = Object.keys(structure.properties ?? {}).length > 0;
  return [
    field === undefined ? '' : `FIELD: ${field} <${schemas.typeName(schema)}>\n${choicesText(schema)}\n`,
    `DESCRIPTION:\n${described.length === 0 ? `${INDENT}<empty>\n` : described.map((text) => wrapped(text, INDENT)).join('')}${INDENT}\n`,
    fields ? `FIELDS:\n${fieldsText(schemas, structure, 1, recursive, new Set(name === undefined ? [] : [name]))}` : '',
    '\n',
  ].join('');
}

function choicesText({ enum: choices }: Schema): string {
  if (!choices || choices.length === 0) return '\n';
  return `ENUM:\n${choices.map((choice) => `${INDENT}${choice}\n`).join('')}`;
}

function schemaAt(schemas: Schemas, root: Schema, path: readonly string[]): Schema {
  let schema = root;
  for (const name of path) {
    const next = schemas.structure(schema).schema.properties?.[name];
    if (!next) throw new CommandError(`field "${path.at(-1)}" does not exist`);
    schema = next;
  }
  return schema;
}

function fieldsText(
  schemas: Schemas,
  { properties = {}, required = [] }: Schema,
  level: number,
  recursive: boolean,
  above: ReadonlySet<string>,
): string {
  const margin = '  '.repeat(level);
  const texts = Object.keys(properties)
    .sort()
    .map((name) => {
      const field = properties[name] ?? {};
      const needed = required.includes(name) ? ' -required-' : '';
      const head = `${margin}${name}\t<${schemas.typeName(field)}>${needed}\n${choicesLine(field, margin)}`;
      if (!recursive) return `${head}${wrapped(field.description ?? '<no description>', `${margin}  `)}\n`;
      const { schema: inner, name: type } = schemas.structure(field);
      // What contains itself is not followed for ever.
      if (!inner.properties || (type !== undefined && above.has(type))) return head;
      return head + fieldsText(schemas, inner, level + 1, true, new Set([...above, type ?? '']));
    });
  return texts.join('');
}

function choicesLine({ enum: choices = [] }: Schema, margin: string): string {
  if (choices.length === 0) return '';
  const shown = choices.slice(0, MOST_CHOICES).join(', ');
  return `${margin}enum: ${shown}${choices.length > MOST_CHOICES ? ', ....' : ''}\n`;
}

/** Lines of words, no longer than fits. */
function wrapped(text: string, margin: string): string {
  return text
    .split('\n')
    .flatMap((paragraph) => linesOf(paragraph))
    .map((line) => `${margin}${line}\n`)
    .join('');
}

function linesOf(paragraph: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > WIDTH && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
