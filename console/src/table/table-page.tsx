import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { CommandLine } from '../parts/command-line.tsx';
import { useKeys } from '../parts/keys.ts';
import { Notice } from '../parts/notice.tsx';
import { findKind, groupOfSegment, type Kind, objectRoute, resourceName } from '../state/catalogue.ts';
import { go, refine, route } from '../state/route.ts';
import { Cell } from './cells.tsx';
import { gridTemplate, widthsOf } from './column-widths.ts';
import type { Sorting } from './ordering.ts';
import type { Column, Row } from './rows.ts';
import { type Selection, type SourceState, TableSource } from './table-source.ts';
import { TableTools } from './table-tools.tsx';
import { type Grouping, type Item, isRow, TableView } from './table-view.ts';
import { ROW_PIXELS, VirtualRows } from './virtual-rows.tsx';

const NAMESPACE: Column = {
  name: 'Namespace',
  type: 'string',
  description: 'The namespace of the object.',
  priority: 0,
};

const isGrouping = (text: string): text is Grouping => text === '' || text === 'namespace' || text === 'owner';

/** All objects of a kind, as they are at the moment. */
export function TablePage({ group, plural }: { group: string; plural: string }) {
  const kind = findKind(groupOfSegment(group), plural);
  if (!kind) return <Notice title="There is no such kind">This server has no {plural} that could be listed.</Notice>;
  const { query } = route.value;
  const selection = {
    namespace: kind.namespaced ? (query.get('ns') ?? '') : '',
    labels: query.get('labels') ?? '',
    fields: query.get('fields') ?? '',
  };
  const key = [group, plural, selection.namespace, selection.labels, selection.fields].join('\n');
  return <LiveTable key={key} kind={kind} selection={selection} />;
}

/** The rules that the address gives. */
function rulesIn(query: URLSearchParams) {
  const grouping = query.get('group') ?? '';
  const sort = query.get('sort') ?? '';
  return {
    filter: query.get('q') ?? '',
    grouping: isGrouping(grouping) ? grouping : '',
    column: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
  } as const;
}

function LiveTable({ kind, selection }: { kind: Kind; selection: Selection }) {
  const { filter, grouping, column, descending } = rulesIn(route.value.query);
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal(-1);
  const live = useRef<{ source: TableSource; view: TableView } | undefined>(undefined);
  live.current ??= begin(kind, selection);
  const { source, view } = live.current;
  useEffect(() => () => source.close(), [source]);
  const columns = source.columns.value;
  const sorting = useMemo((): Sorting => ({ column, descending }), [column, descending]);
  useEffect(() => {
    view.follow({ filter, sorting, grouping, closed: closed.value, columns });
  }, [view, filter, sorting, grouping, columns, closed.value]);
  const items = view.items.value;
  const open = (row: Row): void => go(objectRoute(kind, row.namespace, row.name));
  const move = (by: number): void => {
    cursor.value = Math.max(0, Math.min(items.length - 1, cursor.value + by));
  };
  const toggle = (name: string): void => {
    const next = new Set(closed.value);
    if (!next.delete(name)) next.add(name);
    closed.value = next;
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    G: () => move(items.length),
    Home: () => move(-items.length),
    Enter: () => {
      const item = items[cursor.value];
      if (item) isRow(item) ? open(item) : toggle(item.group);
    },
  });
  const hasNamespaces = kind.namespaced && selection.namespace === '';
  const shown = columns.flatMap((one, at) => (one.priority === 0 ? [{ column: one, at }] : []));
  const widths = widthsOf(columns, source.rows);
  const template = `${hasNamespaces ? '20ch ' : ''}${gridTemplate(shown.map(({ at }) => widths[at] ?? 10))}`;
  return (
    <div class="page table-page">
      <TableTools kind={kind} source={source} shown={view.count} selection={selection} />
      <Problem source={source} kind={kind} />
      <div class="grid" style={{ '--columns': template }}>
        <VirtualRows
          count={items.length}
          cursor={cursor.value}
          label={kind.kind}
          columns={shown.length + (hasNamespaces ? 1 : 0)}
          head={
            <Head
              columns={[...(hasNamespaces ? [NAMESPACE] : []), ...shown.map((one) => one.column)]}
              sorting={sorting}
            />
          }
          row={(at) => {
            const item = items[at];
            if (!item) return null;
            return (
              <Line
                at={at}
                item={item}
                isCurrent={at === cursor.value}
                open={open}
                toggle={toggle}
                isClosed={!isRow(item) && closed.value.has(item.group)}
                hasNamespaces={hasNamespaces}
                shown={shown}
                kind={kind}
              />
            );
          }}
        />
      </div>
      {items.length === 0 && source.state.value === 'live' && (
        <p class="nothing">{filter === '' ? `No ${kind.plural} here.` : 'Nothing matches the filter.'}</p>
      )}
      <CommandLine line={commandFor(kind, selection)} />
    </div>
  );
}

function begin(kind: Kind, selection: Selection): { source: TableSource; view: TableView } {
  const made: { view?: TableView } = {};
  const source = new TableSource(kind, selection, (keys) => made.view?.changed(keys));
  const sorting = { column: '', descending: false };
  const view = new TableView(source.rows, { filter: '', sorting, grouping: '', closed: new Set(), columns: [] });
  made.view = view;
  return { source, view };
}

const commandFor = (kind: Kind, { namespace, labels, fields }: Selection): string =>
  [
    `platformctl get ${resourceName(kind)}`,
    ...(kind.namespaced ? [namespace === '' ? '--all-namespaces' : `--namespace=${namespace}`] : []),
    ...(labels === '' ? [] : [`--selector='${labels}'`]),
    ...(fields === '' ? [] : [`--field-selector='${fields}'`]),
    '--watch',
  ].join(' ');

const STATE_WORDS: Readonly<Record<SourceState, string>> = {
  loading: '',
  live: '',
  refused: '',
  apart: 'Connecting again',
};

function Problem({ source, kind }: { source: TableSource; kind: Kind }) {
  const problem = source.problem.value;
  const words = STATE_WORDS[source.state.value];
  if (!problem && words === '') return null;
  if (source.state.value === 'refused')
    return <Notice title={`These ${kind.plural} cannot be shown`} error={problem} />;
  return problem ? <Notice title={words || 'A problem'} error={problem} /> : null;
}

function Head({ columns, sorting }: { columns: readonly Column[]; sorting: Sorting }) {
  return (
    <div role="row" class="row head" aria-rowindex={1}>
      {columns.map(({ name, description }, i) => {
        const isSorted = sorting.column === name || (sorting.column === '' && i === 0);
        const next = isSorted && !sorting.descending ? `-${name}` : name;
        return (
          <div
            role="columnheader"
            key={name}
            aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" title={description} onClick={() => refine({ sort: next })}>
              {name}
              {isSorted && (
                <span class="arrow" aria-hidden="true">
                  {sorting.descending ? '↓' : '↑'}
                </span>
              )}
            </button>
          </div>
        );
      })}
    </div>
  );
}

interface LineProps {
  readonly at: number;
  readonly item: Item;
  readonly isCurrent: boolean;
  readonly isClosed: boolean;
  readonly hasNamespaces: boolean;
  readonly shown: readonly { column: Column; at: number }[];
  readonly kind: Kind;
  open(row: Row): void;
  toggle(group: string): void;
}

function Line({ at, item, isCurrent, isClosed, hasNamespaces, shown, kind, open, toggle }: LineProps) {
  if (!isRow(item)) {
    return (
      <div role="row" class={`row group ${isCurrent ? 'current' : ''}`} aria-rowindex={at + 2}>
        <div role="cell">
          <button type="button" aria-expanded={!isClosed} onClick={() => toggle(item.group)}>
            <span aria-hidden="true">{isClosed ? '▸' : '▾'}</span> {item.group || 'none'}{' '}
            <span class="count">{item.count}</span>
          </button>
        </div>
      </div>
    );
  }
  const classes = `row ${isCurrent ? 'current' : ''} ${item.isGoing ? 'going' : ''}`;
  return (
    <div
      role="row"
      class={classes}
      aria-rowindex={at + 2}
      data-key={item.key}
      data-version={item.version}
      onClick={() => open(item)}
      style={{ height: `${ROW_PIXELS}px` }}
    >
      {hasNamespaces && (
        <div role="cell" class="quiet">
          {item.namespace}
        </div>
      )}
      {shown.map(({ column, at: index }, i) => (
        <div role="cell" key={column.name} class={column.type === 'integer' ? 'number' : ''}>
          {i === 0 ? (
            <NameLink kind={kind} row={item} text={item.cells[index] ?? item.name} />
          ) : (
            <Cell column={column} row={item} at={index} />
          )}
        </div>
      ))}
    </div>
  );
}

function NameLink({ kind, row, text }: { kind: Kind; row: Row; text: string }) {
  const path = objectRoute(kind, row.namespace, row.name).map(encodeURIComponent).join('/');
  return (
    <a href={`#/${path}`} tabIndex={-1} onClick={(event) => event.stopPropagation()}>
      {text}
    </a>
  );
}
