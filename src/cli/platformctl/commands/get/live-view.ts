import type { SentEvent } from '../../../../client/informing/event-stream.ts';
import type { Session } from '../../frame/session.ts';
import { demandTerminal, paintFor } from '../../print/colors.ts';
import { alignedLines } from '../../print/columns.ts';
import { ScreenRegion } from '../../print/screen-region.ts';
import { type Line, type Table, TableLines, type TableRow } from '../../print/table.ts';
import type { ServedResource } from '../../resources/served-resources.ts';
import type { FetchedDocument } from './fetch.ts';
import type { GetFlags } from './get-objects.ts';
import { asTable, tableSettings } from './show-tables.ts';
import type { WatchView } from './watch-view.ts';

/** A table in place: rows change where they are, new ones come at the end, and those of deleted objects go. */
export function liveView({ io, runtime }: Session, flags: GetFlags, resource: ServedResource): WatchView {
  demandTerminal(io, '--live');
  const rows = new LiveRows();
  const settings = tableSettings({ ...flags, wide: flags.output === 'wide' }, resource, false);
  const paint = paintFor(flags.color, io);
  const region = new ScreenRegion(io, runtime, () => {
    const { lines, hasHeader } = new TableLines(settings).linesOf(rows.table());
    if (lines.length === 0) return ['(nothing yet)'];
    const header: Line = hasHeader ? (lines[0] ?? []) : [];
    return alignedLines(lines).map((text, at) => ({
      text,
      paint: (shown: string) =>
        hasHeader && at === 0 ? paint.header(shown) : paint.row(shown, lines[at] ?? [], header),
    }));
  });
  return {
    async begin(documents) {
      for (const document of documents) rows.add(asTable(document, runtime.now()));
      await region.open();
    },
    async change(event: SentEvent) {
      const table = asTable(event.object as FetchedDocument, runtime.now());
      if (event.type === 'DELETED') rows.remove(table);
      else rows.add(table);
      region.changed();
    },
    end: () => region.close(),
  };
}

/** Rows by the objects that they are about. */
class LiveRows {
  readonly #rows = new Map<string, TableRow>();
  #columns: Table['columnDefinitions'] = [];

  table(): Table {
    return { kind: 'Table', columnDefinitions: this.#columns, rows: [...this.#rows.values()] };
  }

  add({ columnDefinitions, rows }: Table): void {
    if (columnDefinitions?.length) this.#columns = columnDefinitions;
    for (const row of rows) this.#rows.set(keyOf(row), row);
  }

  remove({ rows }: Table): void {
    for (const row of rows) this.#rows.delete(keyOf(row));
  }
}

const keyOf = ({ object, cells }: TableRow): string => {
  const { namespace = '', name = String(cells[0]) } = object?.metadata ?? {};
  return `${namespace}/${name}`;
};
