import { useEffect, useRef } from 'preact/hooks';
import { type JsonObject, textAt } from '../api/json.ts';
import { useKeys } from '../parts/keys.ts';
import { Notice } from '../parts/notice.tsx';
import { findKind, groupOfSegment, type Kind, kindRoute, objectRoute } from '../state/catalogue.ts';
import { ageOf, clock } from '../state/clock.ts';
import { go, linkTo, route } from '../state/route.ts';
import { Actions } from './actions.tsx';
import { Deletion } from './deletion.tsx';
import { EditorTab } from './editor-tab.tsx';
import { History } from './history.tsx';
import { LiveObject } from './live-object.ts';
import { Logs } from './logs.tsx';
import { Overview } from './overview.tsx';
import { Terminal } from './terminal.tsx';

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly View: (props: { live: LiveObject; object: JsonObject }) => preact.JSX.Element | null;
  /** Absent: of every object. */
  readonly fits?: (kind: Kind) => boolean;
}

const isPod = ({ group, plural }: Kind): boolean => group === '' && plural === 'pods';

const TABS: readonly Tab[] = [
  { id: 'overview', name: 'Overview', View: Overview },
  { id: 'yaml', name: 'YAML', View: EditorTab },
  { id: 'history', name: 'History', View: History },
  { id: 'deletion', name: 'Deletion', View: Deletion },
  { id: 'logs', name: 'Logs', View: Logs, fits: isPod },
  { id: 'terminal', name: 'Terminal', View: Terminal, fits: isPod },
];

/** One object, in parts. */
export function ObjectPage({ path }: { path: readonly string[] }) {
  const [, group = '', plural = '', space = '', name = ''] = path;
  const kind = findKind(groupOfSegment(group), plural);
  if (!kind) return <Notice title="There is no such kind">This server has no {plural}.</Notice>;
  return <Shown key={path.join('/')} kind={kind} namespace={space === '-' ? '' : space} name={name} />;
}

function Shown({ kind, namespace, name }: { kind: Kind; namespace: string; name: string }) {
  const held = useRef<LiveObject | undefined>(undefined);
  held.current ??= new LiveObject(kind, namespace, name);
  const live = held.current;
  useEffect(() => () => live.close(), [live]);
  const tabs = TABS.filter(({ fits }) => fits?.(kind) ?? true);
  const here = objectRoute(kind, namespace, name);
  const tab = tabs.find(({ id }) => id === route.value.query.get('tab')) ?? tabs[0];
  const visit = (id: string): void => go(here, { tab: id === 'overview' ? undefined : id });
  useKeys({
    ...Object.fromEntries(tabs.map(({ id }, i) => [String(i + 1), () => visit(id)])),
    u: () => go(kindRoute(kind), { ns: namespace }),
  });
  const object = live.object.value;
  const problem = live.problem.value;
  const isAbsent = problem !== undefined && !object;
  return (
    <div class="page object-page">
      <header class="tools">
        <div class="title">
          <p class="crumbs">
            <a href={linkTo(kindRoute(kind), { ns: namespace })}>{kind.kind}</a>
            {namespace !== '' && <span>in {namespace}</span>}
            {object && <Standing object={object} isGone={live.isGone.value} />}
          </p>
          <h1>{name}</h1>
        </div>
        <span class="spring" />
        {object && !live.isGone.value && <Actions live={live} object={object} />}
      </header>
      <div class="tabs" role="tablist" aria-label="Parts of the object">
        {tabs.map(({ id, name: title }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            aria-selected={id === tab?.id}
            aria-controls="part"
            onClick={() => visit(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {isAbsent && <Notice title={`This ${kind.kind} cannot be shown`} error={problem} />}
      {live.isGone.value && (
        <Notice title="It is gone">What is shown is its last state. Its history may bring it back.</Notice>
      )}
      <div class="part" role="tabpanel" id="part" aria-labelledby={`tab-${tab?.id}`}>
        {tab && (object || tab.id === 'history') && <tab.View live={live} object={object ?? {}} />}
      </div>
    </div>
  );
}

function Standing({ object, isGone }: { object: JsonObject; isGone: boolean }) {
  const going = textAt(object, 'metadata', 'deletionTimestamp');
  const phase = textAt(object, 'status', 'phase');
  return (
    <>
      {isGone ? (
        <span class="state bad">gone</span>
      ) : going === '' ? (
        phase !== '' && <span>{phase}</span>
      ) : (
        <span class="state careful">going</span>
      )}
      <span>{ageOf(textAt(object, 'metadata', 'creationTimestamp'), clock.value)} old</span>
    </>
  );
}
