import { objectName } from '../resources/served-resources.ts';

/** Rows about objects, as a plane makes them for people. */
export interface Table {
  readonly kind: string;
  /** Null in a watch, where they are those of the event before. */
  readonly columnDefinitions: readonly TableColumn[] | null;
  readonly rows: readonly TableRow[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

export interface TableColumn {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  /** Above 0 for what is shown with `-o wide` alone. */
  readonly priority?: number;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: { readonly metadata?: RowMetadata };
}

interface RowMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
}

/** What tables of one kind are shown with. */
export interface TableSettings {
  readonly wide: boolean;
  readonly noHeaders: boolean;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
  readonly withNamespace: boolean;
  /** The kind to put before names; undefined for plain names. */
  readonly kindBefore: { readonly kind: string; readonly group: string } | undefined;
}

/** A line of a table: its cells as they are shown. */
export type Line = readonly string[];

/** Makes lines of tables of one kind. Names of columns come before the first row, and again where columns change. */
export class TableLines {
  readonly #settings: TableSettings;
  #shownColumns: string | undefined;
  #columns: readonly TableColumn[] = [];

  constructor(settings: TableSettings) {
    this.#settings = settings;
  }

  /** `event` is what happened to the rows, in a column of its own, where events are shown. */
  linesOf(table: Table, event?: string): { readonly lines: readonly Line[]; readonly hasHeader: boolean } {
    if (table.columnDefinitions?.length) this.#columns = table.columnDefinitions;
    const columns = this.#columns;
    const isShown = ({ priority = 0 }: TableColumn): boolean => this.#settings.wide || priority === 0;
    const rows = table.rows.map((row) => [
      ...(event === undefined ? [] : [event]),
      ...this.#before(row),
      ...row.cells.flatMap((cell, at) => (columns[at] && isShown(columns[at]) ? [this.#cell(cell, at, columns)] : [])),
      ...this.#labels(row),
    ]);
    const key = JSON.stringify(columns);
    const hasHeader = !this.#settings.noHeaders && rows.length > 0 && key !== this.#shownColumns;
    if (hasHeader) this.#shownColumns = key;
    const header = [
      ...(event === undefined ? [] : ['EVENT']),
      ...(this.#settings.withNamespace ? ['NAMESPACE'] : []),
      ...columns.filter(isShown).map(({ name }) => name.toUpperCase()),
      ...this.#settings.labelColumns.map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
      ...(this.#settings.showLabels ? ['LABELS'] : []),
    ];
    return { lines: hasHeader ? [header, ...rows] : rows, hasHeader };
  }

  #before({ object }: TableRow): string[] {
    return this.#settings.withNamespace ? [object?.metadata?.namespace ?? ''] : [];
  }

  #cell(cell: unknown, at: number, columns: readonly TableColumn[]): string {
    const shown = cellText(cell);
    const { kindBefore } = this.#settings;
    const nameAt = columns.findIndex(({ format, type }) => format === 'name' && type === 'string');
    return kindBefore && at === nameAt ? objectName(kindBefore, shown) : shown;
  }

  #labels({ object }: TableRow): string[] {
    const { labelColumns, showLabels } = this.#settings;
    const labels = object?.metadata?.labels ?? {};
    return [
      ...labelColumns.map((name) => cellText(labels[name])),
      ...(showLabels ? [cellText(labelsText(labels))] : []),
    ];
  }
}

/** `a=b,c=d`, in the order of names. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** One line, without what would move the cursor of a terminal. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
  const end = text.search(/[\f\n\r]/);
  return terminalText(end < 0 ? text : `${text.slice(0, end)}...`);
}

/** What an object says must not steer the terminal that it is shown in. */
export const terminalText = (text: string): string => text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r');

/** For planes that make no tables: names and when they began. */
export function plainTable(objects: readonly { readonly metadata?: RowMetadata }[], now: number): Table {
  return {
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Age', type: 'string' },
    ],
    rows: objects.map((object) => ({
      cells: [object.metadata?.name ?? '', ageText(object.metadata?.creationTimestamp, now)],
      object,
    })),
  };
}

const UNITS = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

function ageText(since: string | undefined, now: number): string {
  const seconds = since === undefined ? Number.NaN : Math.floor((now - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return '<unknown>';
  const [unit, length] = UNITS.find(([, size]) => seconds >= size * 2) ?? UNITS[4];
  return `${Math.max(0, Math.floor(seconds / length))}${unit}`;
}
