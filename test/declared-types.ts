import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { customResourceDefinition } from '../src/kinds/apiextensions/custom-resource-definition.ts';
import type { Facts } from '../src/schema/facts.ts';
import { Node, type StructShape, type UnionShape, type Visitor } from '../src/schema/node.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

const COMPILED = join('apiextensions', 'schema');

const FOLDERS = ['kinds', 'meta'].map((name) => join(import.meta.dirname, '../src', name));

/** Every struct and union that the files of `src/kinds` and `src/meta` export, and what is reachable from them, by name. */
export async function declaredTypes(): Promise<ReadonlyMap<string, Node>> {
  const found = new Map<string, Node>();
  const collect = collector(found);
  for (const node of await exportedNodes()) node.accept(collect);
  customResourceDefinition(vocabularies.platform).accept(collect);
  return found;
}

async function exportedNodes(): Promise<readonly Node[]> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  // What JSON schemas of users are compiled to has names of its own making.
  const sources = files.filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes(COMPILED),
  );
  const modules = await Promise.all(sources.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((exports: object) => Object.values(exports)).filter((value) => value instanceof Node);
}

function collector(found: Map<string, Node>): Visitor<void> {
  /** False when the shape has been seen. Two shapes of one name would make the name mean two things. */
  const isNew = (shape: StructShape | UnionShape, facts: Facts): boolean => {
    const known = found.get(shape.name);
    if (known && known.shape !== shape) throw new Error(`${shape.name} is declared twice`);
    found.set(shape.name, new Node(shape, facts));
    return !known;
  };
  const visitor: Visitor<void> = {
    scalar() {},
    list: (shape) => shape.item().accept(visitor),
    map: (shape) => shape.item().accept(visitor),
    loose() {},
    struct(shape, facts) {
      if (isNew(shape, facts)) for (const { node } of Object.values(shape.fields)) node.accept(visitor);
    },
    union(shape, facts) {
      if (isNew(shape, facts)) for (const { node } of Object.values(shape.forms)) node().accept(visitor);
    },
  };
  return visitor;
}
