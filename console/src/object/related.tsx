import { useEffect, useState } from 'preact/hooks';
import { type Json, type JsonObject, listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { Refusal, sendForJson } from '../api/request.ts';
import { collectionPath, findKind, type Kind, kindNamed, objectRoute } from '../state/catalogue.ts';
import { linkTo } from '../state/route.ts';
import type { LiveObject } from './live-object.ts';

/** Kinds that are made by others of the same namespace. */
const MADE: readonly (readonly [group: string, plural: string])[] = [
  ['apps', 'replicasets'],
  ['apps', 'controllerrevisions'],
  ['batch', 'jobs'],
  ['', 'pods'],
  ['', 'persistentvolumeclaims'],
];

const LEVELS = 3;
const MOST_SHOWN = 30;

interface Thing {
  readonly kind: Kind;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly string[];
}

interface Branch extends Thing {
  readonly below: readonly Branch[];
}

/** Who owns an object, up to the first, and what it owns. */
export function Related({ live, object }: { live: LiveObject; object: JsonObject }) {
  const { kind, namespace, name } = live;
  const uid = textAt(object, 'metadata', 'uid');
  const [above, setAbove] = useState<readonly Thing[]>([]);
  const [below, setBelow] = useState<readonly Branch[]>([]);
  useEffect(() => {
    let isWanted = true;
    void ownersOf(object, namespace).then((found) => isWanted && setAbove(found));
    if (kind.namespaced) void thingsIn(namespace).then((all) => isWanted && setBelow(branchesOf(uid, all, LEVELS)));
    return () => {
      isWanted = false;
    };
    // The owners of an object stay the same as long as it is the same.
  }, [uid, namespace]);
  if (above.length === 0 && below.length === 0) return null;
  const self: Branch = { kind, name, uid, owners: [], below };
  const tree = above.reduce((branch: Branch, thing) => ({ ...thing, below: [branch] }), self);
  return (
    <section class="card">
      <h2>Owners</h2>
      <ul class="owner-tree">
        <Twig branch={tree} namespace={namespace} self={uid} />
      </ul>
    </section>
  );
}

function Twig({ branch, namespace, self }: { branch: Branch; namespace: string; self: string }) {
  const { kind, name, uid, below } = branch;
  return (
    <li>
      {uid === self ? (
        <b>
          {kind.kind}/{name}
        </b>
      ) : (
        <a href={linkTo(objectRoute(kind, kind.namespaced ? namespace : '', name))}>
          {kind.kind}/{name}
        </a>
      )}
      {below.length > 0 && (
        <ul>
          {below.slice(0, MOST_SHOWN).map((one) => (
            <Twig key={one.uid} branch={one} namespace={namespace} self={self} />
          ))}
          {below.length > MOST_SHOWN && <li class="quiet">and {below.length - MOST_SHOWN} more</li>}
        </ul>
      )}
    </li>
  );
}

const branchesOf = (uid: string, all: readonly Thing[], levels: number): Branch[] =>
  levels === 0
    ? []
    : all
        .filter(({ owners }) => owners.includes(uid))
        .map((thing) => ({ ...thing, below: branchesOf(thing.uid, all, levels - 1) }));

const accept = (rendering: string): string => `application/json;as=${rendering};v=v1;g=${groupNamed('meta')}`;

/** The owner of the object, its owner, and so on. */
async function ownersOf(object: JsonObject, namespace: string): Promise<Thing[]> {
  const found: Thing[] = [];
  let current: Json = object;
  for (let level = 0; level < LEVELS; level++) {
    const [owner] = listAt(current, 'metadata', 'ownerReferences');
    const kind = owner === undefined ? undefined : kindNamed(textAt(owner, 'apiVersion'), textAt(owner, 'kind'));
    if (owner === undefined || !kind) break;
    const name = textAt(owner, 'name');
    found.push({ kind, name, uid: textAt(owner, 'uid'), owners: [] });
    const path = `${collectionPath(kind, kind.namespaced ? namespace : '')}/${encodeURIComponent(name)}`;
    const next = await orNothing(sendForJson(path, { accept: accept('PartialObjectMetadata') }));
    if (!next) break;
    current = next;
  }
  return found;
}

async function thingsIn(namespace: string): Promise<Thing[]> {
  const kinds = MADE.flatMap(([group, plural]) => findKind(group, plural) ?? []);
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const path = `${collectionPath(kind, namespace)}?limit=1000`;
      const list = await orNothing(sendForJson(path, { accept: accept('PartialObjectMetadataList') }));
      return listAt(list ?? null, 'items').map((item) => ({
        kind,
        name: textAt(item, 'metadata', 'name'),
        uid: textAt(item, 'metadata', 'uid'),
        owners: listAt(item, 'metadata', 'ownerReferences').map((owner) => textAt(owner, 'uid')),
      }));
    }),
  );
  return lists.flat();
}

/** What may not be seen is left out. */
const orNothing = (answer: Promise<JsonObject>): Promise<JsonObject | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
