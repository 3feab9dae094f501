import { CommandError } from '../frame/failure.ts';
import { columnsText } from './columns.ts';
import { goText } from './go-text.ts';
import { evaluateTemplate } from './json-path/evaluate.ts';
import { type Block, JsonPathError, parseRelaxed } from './json-path/syntax.ts';
import type { ObjectPrinter, Printable } from './printable.ts';
import { type Line, terminalText } from './table.ts';

interface Column {
  readonly header: string;
  readonly path: readonly Block[];
}

/** `NAME:.metadata.name,IMAGE:.spec.containers[*].image` */
export function columnsOf(spec: string): Column[] {
  if (spec === '') throw new CommandError('custom-columns format specified but no custom columns given');
  return spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) {
      throw new CommandError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    }
    return column(part.slice(0, colon), part.slice(colon + 1));
  });
}

/** A line of headers, and below each the path of its column. */
export function columnsOfFile(text: string): Column[] {
  const [headers = [], paths = []] = text
    .split('\n')
    .slice(0, 2)
    .map((line) => line.split(/\s+/).filter((word) => word !== ''));
  if (headers.length === 0 || headers.length !== paths.length) {
    throw new CommandError(
      `number of headers (${headers.length}) and field specifications (${paths.length}) don't match`,
    );
  }
  return headers.map((header, at) => column(header, paths[at] ?? ''));
}

function column(header: string, path: string): Column {
  try {
    return { header, path: path === '' ? [] : parseRelaxed(path) };
  } catch (error) {
    if (error instanceof JsonPathError) throw new CommandError(error.message);
    throw error;
  }
}

/** Objects as rows of columns that people choose. */
export function customColumnsPrinter(columns: readonly Column[], noHeaders: boolean): ObjectPrinter {
  return {
    textOf(object, at) {
      const { items } = object as { readonly items?: readonly Printable[] };
      const rows = (items ?? [object]).map((item) => lineOf(item, columns));
      const lines = noHeaders || at > 0 ? rows : [columns.map(({ header }) => header), ...rows];
      return columnsText(lines);
    },
  };
}

const lineOf = (object: Printable, columns: readonly Column[]): Line =>
  columns.map(({ path }) => {
    const values = evaluateTemplate(path, object).flat();
    return values.length === 0 ? '<none>' : values.map((value) => terminalText(goText(value))).join(',');
  });
