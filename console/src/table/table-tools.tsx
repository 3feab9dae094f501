import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../parts/keys.ts';
import type { Kind } from '../state/catalogue.ts';
import { apiVersionOf, collectionPath } from '../state/catalogue.ts';
import { namespaces } from '../state/namespaces.ts';
import { refine, route } from '../state/route.ts';
import type { Selection, TableSource } from './table-source.ts';

const TYPING_MS = 80;

/** What chooses among the rows of a table. Everything stands in the address. */
export function TableTools({
  kind,
  source,
  shown,
  selection,
}: {
  kind: Kind;
  source: TableSource;
  shown: number;
  selection: Selection;
}) {
  const { query } = route.value;
  const filter = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => filter.current?.select(),
    Escape: () => {
      filter.current?.blur();
      if (route.value.query.get('q')) refine({ q: '' });
      if (filter.current) filter.current.value = '';
    },
  });
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const total = Math.max(source.expected.value, source.rows.size);
  return (
    <header class="tools">
      <h1 title={collectionPath(kind)}>
        {kind.kind} <small>{apiVersionOf(kind)}</small>
      </h1>
      <Live source={source} shown={shown} total={total} />
      <span class="spring" />
      {kind.namespaced && (
        <select
          aria-label="Namespace"
          value={selection.namespace}
          onChange={(event) => refine({ ns: event.currentTarget.value })}
        >
          <option value="">All namespaces</option>
          {withChosen(namespaces.value, selection.namespace).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Group rows"
        value={query.get('group') ?? ''}
        onChange={(event) => refine({ group: event.currentTarget.value })}
      >
        <option value="">No groups</option>
        {kind.namespaced && <option value="namespace">By namespace</option>}
        <option value="owner">By owner</option>
      </select>
      <input
        class="selector"
        aria-label="Label selector"
        placeholder="labels: app=web"
        value={selection.labels}
        onChange={(event) => refine({ labels: event.currentTarget.value.trim() })}
      />
      <input
        class="selector"
        aria-label="Field selector"
        placeholder="fields: metadata.name=a"
        value={selection.fields}
        onChange={(event) => refine({ fields: event.currentTarget.value.trim() })}
      />
      <input
        ref={filter}
        class="filter"
        type="search"
        aria-label="Filter rows"
        placeholder="Filter  /"
        defaultValue={query.get('q') ?? ''}
        onInput={(event) => {
          const { value } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => refine({ q: value }), TYPING_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </header>
  );
}

/** A namespace that was chosen stays in the list, even where the list cannot be read. */
const withChosen = (all: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || all.includes(chosen) ? all : [chosen, ...all];

function Live({ source, shown, total }: { source: TableSource; shown: number; total: number }) {
  const state = source.state.value;
  const words = { live: 'live', loading: 'loading', apart: 'reconnecting', refused: 'refused' }[state];
  const have = source.rows.size;
  const counts =
    state === 'loading' && have < total
      ? `${have.toLocaleString('en')} of ${total.toLocaleString('en')}`
      : shown === have
        ? have.toLocaleString('en')
        : `${shown.toLocaleString('en')} of ${have.toLocaleString('en')}`;
  return (
    <span class={`live ${state}`} role="status">
      <i aria-hidden="true" />
      <b>{state === 'refused' ? '' : counts}</b> {words}
    </span>
  );
}
