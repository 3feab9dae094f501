import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../api/json.ts';

export type Path = readonly (string | number)[];

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Longer texts are edited without what follows from reading them at every change. */
export const MOST_READ = 400_000;

/** An object as people edit it: without the record of owners, which stands beside it. */
export function textOf(object: JsonObject): string {
  const { managedFields: _, ...metadata } = Object(object.metadata);
  const { apiVersion, kind, ...rest } = object;
  return stringify(
    { apiVersion, kind, ...rest, metadata },
    { lineWidth: 0, sortMapEntries: false, aliasDuplicateObjects: false },
  ).replace(/^(apiVersion|kind): undefined\n/gm, '');
}

/** A text with where everything in it stands. */
export class YamlText {
  readonly value: Json;
  readonly problems: readonly (Span & { readonly message: string })[];
  readonly #root: Node | null;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    this.#root = document.contents;
    this.problems = document.errors.map(({ message, pos: [from, to] }) => ({ message, from, to }));
    this.value = document.errors.length > 0 ? null : (document.toJS({ maxAliasCount: 100 }) ?? null);
  }

  get object(): JsonObject | undefined {
    return isObject(this.value) ? this.value : undefined;
  }

  /** Where a field stands, or as much of the way to it as there is. */
  spanOf(path: Path): Span {
    let node: Node | null | undefined = this.#root;
    let span: Span = { from: 0, to: 0 };
    for (const step of path) {
      if (isMap(node)) {
        const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && key.value === step);
        if (!pair) break;
        span = spanOf(pair.key) ?? span;
        node = isNode(pair.value) ? pair.value : undefined;
      } else if (isSeq(node)) {
        const item: unknown = typeof step === 'number' ? node.items[step] : undefined;
        if (!isNode(item)) break;
        span = spanOf(item) ?? span;
        node = item;
      } else break;
    }
    return span;
  }

  /** The first field of every line, by the number of the line, from 1 on. */
  fieldsByLine(): ReadonlyMap<number, Path> {
    const found = new Map<number, Path>();
    const visit = (node: unknown, path: Path): void => {
      if (isMap(node)) {
        for (const { key, value } of node.items) {
          if (!isScalar(key)) continue;
          const at = [...path, String(key.value)];
          this.#note(found, key, at);
          visit(value, at);
        }
      } else if (isSeq(node)) {
        for (const [i, item] of node.items.entries()) {
          if (isScalar(item)) this.#note(found, item, [...path, i]);
          else visit(item, [...path, i]);
        }
      }
    };
    visit(this.#root, []);
    return found;
  }

  #note(found: Map<number, Path>, node: unknown, path: Path): void {
    const span = spanOf(node);
    if (!span) return;
    const { line } = this.#lines.linePos(span.from);
    if (!found.has(line)) found.set(line, path);
  }
}

const isNode = (value: unknown): value is Node => isMap(value) || isSeq(value) || isScalar(value);

function spanOf(node: unknown): Span | undefined {
  if (!isNode(node) || !node.range) return undefined;
  const [from, to] = node.range;
  return { from, to };
}

/** The steps of a path as problems name it: `spec.containers[0].image`, `metadata.labels[a/b]`. */
export function stepsOf(field: string): Path {
  const steps: (string | number)[] = [];
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(/^\d+$/.test(index) ? Number(index) : index.replace(/^"|"$/g, ''));
  }
  return steps;
}
