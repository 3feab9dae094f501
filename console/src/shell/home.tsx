import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { sendForJson } from '../api/request.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { collectionPath, findKind, type Kind, kindRoute, kinds, listable, resourceName } from '../state/catalogue.ts';
import { linkTo } from '../state/route.ts';
import { session } from '../state/session.ts';

/** Kinds whose objects are counted on the first view. */
const COUNTED: readonly (readonly [string, string])[] = [
  ['', 'namespaces'],
  ['', 'nodes'],
  ['', 'pods'],
  ['apps', 'deployments'],
  ['', 'services'],
  ['', 'configmaps'],
];

export function Home() {
  const counted = COUNTED.flatMap(([group, plural]) => findKind(group, plural) ?? []);
  const groups = [...new Set(listable(kinds.value).map(({ group }) => group))];
  return (
    <div class="page home-page">
      <header class="tools">
        <h1>Plane</h1>
        <span class="quiet">as {session.value?.user}</span>
      </header>
      <section class="tiles" aria-label="How many there are">
        {counted.map((kind) => (
          <Tile key={kind.plural} kind={kind} />
        ))}
      </section>
      <section class="all-kinds" aria-label="Everything that is served">
        {groups.map((group) => (
          <div key={group}>
            <h2>{group === '' ? 'core' : group}</h2>
            <ul>
              {listable(kinds.value)
                .filter((kind) => kind.group === group)
                .map((kind) => (
                  <li key={kind.plural}>
                    <a href={linkTo(kindRoute(kind))} title={resourceName(kind)}>
                      {kind.kind}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </section>
      <CommandLine line="platformctl api-resources" />
    </div>
  );
}

function Tile({ kind }: { kind: Kind }) {
  const count = useSignal('·');
  useEffect(() => {
    void countOf(kind).then((text) => {
      count.value = text;
    });
  }, [kind, count]);
  return (
    <a class="tile" href={linkTo(kindRoute(kind))}>
      <b>{count.value}</b>
      <span>{kind.plural}</span>
    </a>
  );
}

/** Asks for one of them: the server says how many more there are. */
async function countOf(kind: Kind): Promise<string> {
  const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${groupNamed('meta')}`;
  try {
    const list = await sendForJson(`${collectionPath(kind)}?limit=1`, { accept });
    const more = Number(textAt(list, 'metadata', 'remainingItemCount') || 0);
    return (listAt(list, 'items').length + more).toLocaleString('en');
  } catch {
    // Not everyone may list everything: a count is no promise.
    return '–';
  }
}
