import { signal } from '@preact/signals';
import { type Json, listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { isAborted, messageOf, Refusal, sendForJson } from '../api/request.ts';
import { documentsFrom, pause } from '../api/watching.ts';
import { collectionPath, type Kind } from '../state/catalogue.ts';
import { type Column, columnsIn, type Row, rowOf } from './rows.ts';

/** Which objects of a kind. */
export interface Selection {
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
}

/** Objects a request. Reading so many takes a few milliseconds. */
const CHUNK = 500;
const LEAST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 15_000;

/** `loading`: not all are here; `live`: changes come as they are made; `apart`: they will again. */
export type SourceState = 'loading' | 'live' | 'apart' | 'refused';

/** The objects of a kind as a table, listed in pieces and then followed. */
export class TableSource {
  readonly rows = new Map<string, Row>();
  readonly columns = signal<readonly Column[]>([]);
  readonly state = signal<SourceState>('loading');
  readonly problem = signal<Refusal | Error | undefined>(undefined);
  /** How many there are at the least. */
  readonly expected = signal(0);
  readonly #kind: Kind;
  readonly #selection: Selection;
  readonly #onChange: (keys: readonly string[]) => void;
  readonly #ended = new AbortController();

  /** `onChange`: is told of the keys of rows that came, changed or went, in batches. */
  constructor(kind: Kind, selection: Selection, onChange: (keys: readonly string[]) => void) {
    this.#kind = kind;
    this.#selection = selection;
    this.#onChange = onChange;
    void this.#run();
  }

  close(): void {
    this.#ended.abort();
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  async #run(): Promise<void> {
    let wait = LEAST_PAUSE_MS;
    let version = '';
    while (!this.#isOver) {
      try {
        if (version === '') version = await this.#list();
        wait = LEAST_PAUSE_MS;
        if (!this.#kind.verbs.includes('watch')) return;
        version = await this.#watch(version);
      } catch (error) {
        if (isAborted(error) || this.#isOver) return;
        if (error instanceof Refusal && (error.status === 410 || error.reason === 'Expired')) version = '';
        else if (error instanceof Refusal && [401, 403, 404, 400].includes(error.status)) return this.#refuse(error);
        else this.problem.value = error instanceof Error ? error : new Error(messageOf(error));
      }
      if (this.#isOver) return;
      this.state.value = 'apart';
      await pause(wait, this.#ended.signal);
      wait = Math.min(MOST_PAUSE_MS, wait * 2);
    }
  }

  #refuse(error: Refusal): void {
    this.problem.value = error;
    this.state.value = 'refused';
  }

  /** Everything there is; returns the version that it was of. What is not there any more goes. */
  async #list(): Promise<string> {
    this.state.value = 'loading';
    const seen = new Set<string>();
    let next = '';
    let version = '';
    do {
      const query = this.#query({ limit: String(CHUNK), ...(next === '' ? {} : { continue: next }) });
      const table = await sendForJson(`${this.#path()}?${query}`, { accept: tableType(), signal: this.#ended.signal });
      this.#takeColumns(table);
      const rows = listAt(table, 'rows').map(rowOf);
      for (const row of rows) {
        seen.add(row.key);
        this.rows.set(row.key, row);
      }
      next = textAt(table, 'metadata', 'continue');
      version = textAt(table, 'metadata', 'resourceVersion');
      this.expected.value = Math.max(
        seen.size + Number(textAt(table, 'metadata', 'remainingItemCount') || 0),
        seen.size,
      );
      this.#onChange(rows.map(({ key }) => key));
    } while (next !== '' && !this.#isOver);
    const gone = [...this.rows.keys()].filter((key) => !seen.has(key));
    for (const key of gone) this.rows.delete(key);
    this.state.value = 'live';
    this.problem.value = undefined;
    this.#onChange(gone);
    return version;
  }

  /** Follows changes; returns where to go on from when the server ends it. */
  async #watch(from: string): Promise<string> {
    let version = from;
    const query = this.#query({ watch: 'true', resourceVersion: from, allowWatchBookmarks: 'true' });
    this.state.value = 'live';
    for await (const event of documentsFrom(`${this.#path()}?${query}`, tableType(), this.#ended.signal)) {
      const type = textAt(event, 'type');
      const table = event.object;
      if (type === 'ERROR') throw new Refusal(Number(textAt(table, 'code')), Object(table), '');
      version = this.#take(type, table) || version;
    }
    return version;
  }

  #take(type: string, table: Json | undefined): string {
    this.#takeColumns(table ?? null);
    const rows = listAt(table, 'rows').map(rowOf);
    if (type === 'BOOKMARK') return rows[0]?.version || textAt(table, 'metadata', 'resourceVersion');
    for (const row of rows) {
      if (type === 'DELETED') this.rows.delete(row.key);
      else this.rows.set(row.key, row);
    }
    this.#onChange(rows.map(({ key }) => key));
    return rows[0]?.version ?? '';
  }

  #takeColumns(table: Json): void {
    const columns = columnsIn(table);
    if (columns.length > 0) this.columns.value = columns;
  }

  #path(): string {
    return collectionPath(this.#kind, this.#kind.namespaced ? this.#selection.namespace : '');
  }

  #query(more: Readonly<Record<string, string>>): string {
    const { labels, fields } = this.#selection;
    return new URLSearchParams({
      ...more,
      includeObject: 'Metadata',
      ...(labels === '' ? {} : { labelSelector: labels }),
      ...(fields === '' ? {} : { fieldSelector: fields }),
    }).toString();
  }
}

const tableType = (): string => `application/json;as=Table;v=v1;g=${groupNamed('meta')},application/json`;
