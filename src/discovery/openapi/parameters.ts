import { CreateOptions, DeleteOptions, ListOptions, PatchOptions, UpdateOptions } from '../../meta/options.ts';
import type { Verb } from '../../registry/resource-type.ts';
import type { Node, StructShape, Visitor } from '../../schema/node.ts';

/** Something a request carries in its path or query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: string;
  readonly description: string;
}

const inPath = (name: string, description: string): Parameter => ({ name, in: 'path', type: 'string', description });

export const NAME = inPath('name', 'Name of the object, unique among objects of its kind and namespace.');
export const NAMESPACE = inPath('namespace', 'Namespace that the objects are in.');
/** What follows a proxy, slashes and all. */
export const PATH = inPath('path', 'Path that is requested from the target of the proxy.');
export const PRETTY: Parameter = {
  name: 'pretty',
  in: 'query',
  type: 'string',
  description: 'Whether the answer is indented: true or false. Unset, it is indented for curl, wget and browsers.',
};

/** Clients look for these in the operation itself, to learn what a server can do; all others can be shared. */
const LOOKED_FOR = new Set(['dryRun', 'fieldValidation']);

/** There is one shared parameter of a name; a path that is part of the path is not the one that is in the query. */
export const isShared = (parameter: Parameter): boolean => !LOOKED_FOR.has(parameter.name) && parameter !== PATH;

/** The type that an option has in a query; undefined for what does not fit in one. */
const QUERY_TYPE: Visitor<string | undefined> = {
  scalar: ({ scalar }) => scalar.published.type,
  // May be given several times, so each is of the type of an item.
  list: (shape) => shape.item().accept(QUERY_TYPE),
  map: () => undefined,
  struct: () => undefined,
  union: () => undefined,
  loose: () => undefined,
};

/** The query that options of a request are sent as, by name. */
export function queryOf({ shape }: Node<StructShape>): Parameter[] {
  return Object.entries(shape.fields)
    .flatMap(([name, { node, description = '' }]) => {
      const type = node.accept(QUERY_TYPE);
      return type === undefined ? [] : [{ name, in: 'query' as const, type, description }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const LIST = queryOf(ListOptions);
const DELETE = queryOf(DeleteOptions);

/** Options that are only for watching. */
const ONLY_WATCH = new Set(['watch', 'allowWatchBookmarks']);

/** What the query of a request can say beside PRETTY. */
export const QUERIES: Readonly<Record<Verb, readonly Parameter[]>> = {
  create: queryOf(CreateOptions),
  delete: DELETE,
  deletecollection: [...LIST.filter(({ name }) => !ONLY_WATCH.has(name)), ...DELETE],
  get: [],
  list: LIST,
  patch: queryOf(PatchOptions),
  update: queryOf(UpdateOptions),
  watch: LIST,
};
