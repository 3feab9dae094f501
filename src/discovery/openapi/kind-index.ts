import type { Action } from '../../handlers/actions/action.ts';
import { groupOrder } from '../../kinds/built-in.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../meta/discovery.ts';
import { DeleteOptions } from '../../meta/options.ts';
import { Status } from '../../meta/status.ts';
import { WatchEvent } from '../../meta/watch-event.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import { listKindOf, type ObjectType } from '../../registry/resource-type.ts';
import type { Node, StructShape } from '../../schema/node.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { GroupVersionKind } from './endpoint.ts';

type Named = Pick<Node<StructShape>, 'shape'>;

/** Kinds that have no resource, and exist in the core group alone. */
const CORE_KINDS: Readonly<Record<string, Named>> = { Status, APIGroup, APIGroupList, APIResourceList, APIVersions };

/** Kinds that exist in every version of every group. */
const EVERYWHERE: Readonly<Record<string, Named>> = { DeleteOptions, WatchEvent };

/** Under which kinds objects travel, by the name of their declared type. */
export type KindIndex = ReadonlyMap<string, readonly GroupVersionKind[]>;

export function kindIndex(
  catalogue: Catalogue,
  actions: ReadonlyMap<string, Action>,
  vocabulary: Vocabulary,
): KindIndex {
  const index = new Map<string, GroupVersionKind[]>();
  const addNamed = (name: string, { group, kind, version }: GroupVersionKind): void => {
    const known = index.get(name) ?? [];
    if (known.some((one) => one.group === group && one.version === version && one.kind === kind)) return;
    index.set(name, [...known, { group, kind, version }]);
  };
  const add = ({ shape }: Named, kind: GroupVersionKind): void => addNamed(shape.name, kind);
  const addType = (type: ObjectType): void => addNamed(nameOf(type), type);

  for (const type of catalogue.all()) {
    addType(type);
    if (type.verbs.includes('list'))
      addNamed(`${nameOf(type)}List`, { group: type.group, version: type.version, kind: listKindOf(type) });
    for (const { projection } of Object.values(type.subresources)) if (projection) addType(projection.type);
  }
  for (const { accepts } of actions.values()) accepts.forEach(addType);
  for (const [kind, node] of Object.entries(CORE_KINDS)) add(node, { group: '', kind, version: 'v1' });
  for (const [kind, node] of Object.entries(EVERYWHERE)) {
    for (const { group, version } of builtInVersions(vocabulary)) add(node, { group, kind, version });
  }
  return index;
}

/** Without asking a custom kind for its schema, which would have to be compiled for nothing but its name. */
const nameOf = (type: ObjectType): string => type.schemaName ?? type.schema.shape.name;

/** Those of the built-in groups only, so that a document of theirs stays the same when custom groups come and go. */
const builtInVersions = (vocabulary: Vocabulary): { readonly group: string; readonly version: string }[] =>
  groupOrder(vocabulary)
    .flatMap(({ name, versions }) => versions.map((version) => ({ group: name, version })))
    .sort((a, b) => (`${a.group}/${a.version}` < `${b.group}/${b.version}` ? -1 : 1));
