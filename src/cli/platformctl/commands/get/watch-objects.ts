import { fieldText } from '../../../../selectors/field-text.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { paintFor } from '../../print/colors.ts';
import { alignedLines, columnWidths } from '../../print/columns.ts';
import type { ObjectPrinter, Printable } from '../../print/printable.ts';
import { type Line, TableLines } from '../../print/table.ts';
import type { ServedResource } from '../../resources/served-resources.ts';
import { type FetchedDocument, fetchPages } from './fetch.ts';
import { demandOneResource, type GetFlags, isForPeople, printerOf } from './get-objects.ts';
import { type Selection, selectedObjects } from './selection.ts';
import { itemsOf } from './show-objects.ts';
import { asTable, tableSettings } from './show-tables.ts';
import { watchFrom } from './watch-stream.ts';
import type { WatchView } from './watch-view.ts';

export async function watchObjects(session: Session, args: readonly string[], flags: GetFlags): Promise<void> {
  const selected = await selectedObjects(args, flags, session);
  demandOneResource(selected);
  const [selection] = selected.selections;
  if (!selection) throw new CommandError('there is nothing to watch');
  const view = await viewFor(session, flags, selection.resource);
  const asTables = isForPeople(flags) && flags.serverPrint;
  const settings = { ...flags, table: asTables ? ('metadata' as const) : undefined };
  const documents: FetchedDocument[] = [];
  for await (const page of fetchPages(await session.send(), selection, settings)) documents.push(page);
  try {
    await view.begin(flags.watchOnly ? [] : documents);
    const since = documents.at(-1)?.metadata?.resourceVersion ?? '';
    for await (const event of watchFrom(session, watched(selection, flags), since, asTables)) await view.change(event);
  } finally {
    await view.end();
  }
}

/** One object is watched as a collection of one. */
function watched(selection: Selection, flags: GetFlags): { selection: Selection; flags: GetFlags } {
  if (selection.name === '') return { selection, flags };
  return {
    selection: { ...selection, name: '' },
    flags: { ...flags, fieldSelector: fieldText({ 'metadata.name': selection.name }) },
  };
}

async function viewFor(session: Session, flags: GetFlags, resource: ServedResource): Promise<WatchView> {
  const printer = await printerOf(session, flags);
  if (printer) return objectsView(session, printer, flags);
  if (!flags.live) return tableView(session, flags, resource);
  const { liveView } = await import('./live-view.ts');
  return liveView(session, flags, resource);
}

/** Each object as a document of its own, and again when it changes. */
function objectsView({ io }: Session, printer: ObjectPrinter, { outputWatchEvents }: GetFlags): WatchView {
  let count = 0;
  const print = (type: string, object: Printable): Promise<void> => {
    const shown = outputWatchEvents ? ({ type, object } as unknown as Printable) : object;
    return write(io.stdout, printer.textOf(shown, count++));
  };
  return {
    async begin(documents) {
      for (const object of documents.flatMap(itemsOf)) await print('ADDED', object);
    },
    change: ({ type, object }) => print(type, object as Printable),
    end: async () => {},
  };
}

/** A table that grows by a row for each change. Columns keep the width that they had. */
function tableView({ io, runtime }: Session, flags: GetFlags, resource: ServedResource): WatchView {
  const paint = paintFor(flags.color, io);
  const maker = new TableLines(tableSettings({ ...flags, wide: flags.output === 'wide' }, resource, false));
  let widths: number[] = [];
  let header: Line = [];
  const show = async (type: string, documents: readonly FetchedDocument[]): Promise<void> => {
    const event = flags.outputWatchEvents ? type : undefined;
    const made = documents.map((document) => maker.linesOf(asTable(document, runtime.now()), event));
    const lines = made.flatMap(({ lines: some }) => some);
    const headers = new Set(made.flatMap(({ lines: [first], hasHeader }) => (hasHeader && first ? [first] : [])));
    widths = columnWidths(lines, headers.size > 0 ? [] : widths);
    for (const [at, text] of alignedLines(lines, widths).entries()) {
      const line = lines[at] ?? [];
      if (headers.has(line)) header = line;
      await write(io.stdout, `${headers.has(line) ? paint.header(text) : paint.row(text, line, header)}\n`);
    }
  };
  return {
    begin: (documents) => show('ADDED', documents),
    change: ({ type, object }) => show(type, [object as FetchedDocument]),
    end: async () => {},
  };
}
