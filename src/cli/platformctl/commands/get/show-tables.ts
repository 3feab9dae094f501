import type { Paint } from '../../print/colors.ts';
import { alignedLines, columnWidths } from '../../print/columns.ts';
import { type Line, plainTable, type Table, TableLines, type TableSettings } from '../../print/table.ts';
import type { ServedResource } from '../../resources/served-resources.ts';
import { type FetchedDocument, isTable } from './fetch.ts';
import { itemsOf } from './show-objects.ts';

/** An answer and what it was asked for. */
export interface Found {
  readonly resource: ServedResource;
  readonly document: FetchedDocument;
}

/** Settings of tables that do not depend on the resource. */
export interface ShownTables extends Omit<TableSettings, 'withNamespace' | 'kindBefore'> {
  readonly allNamespaces: boolean;
  readonly showKind: boolean;
}

/** How tables of one resource are shown among others. */
export function tableSettings(shown: ShownTables, resource: ServedResource, isOneOfSeveral: boolean): TableSettings {
  return {
    ...shown,
    withNamespace: shown.allNamespaces && resource.namespaced,
    kindBefore: shown.showKind || isOneOfSeveral ? resource : undefined,
  };
}

/** Tables of resources below each other, each with its own columns, and an empty line between. */
export function tablesText(
  found: readonly Found[],
  shown: ShownTables,
  paint: Paint,
  now: number,
  sort: (table: Table) => Table,
): string {
  const isOneOfSeveral = new Set(found.map(({ resource }) => resource)).size > 1;
  const blocks: string[] = [];
  for (const { resource, documents } of runsOf(found)) {
    const maker = new TableLines(tableSettings(shown, resource, isOneOfSeveral));
    const lines: Line[] = [];
    const headers = new Set<Line>();
    for (const document of documents) {
      const { lines: made, hasHeader } = maker.linesOf(sort(asTable(document, now)));
      if (hasHeader && made[0]) headers.add(made[0]);
      lines.push(...made);
    }
    if (lines.length > 0) blocks.push(blockText(lines, headers, paint));
  }
  return blocks.join(shown.noHeaders ? '' : '\n');
}

function blockText(lines: readonly Line[], headers: ReadonlySet<Line>, paint: Paint): string {
  const aligned = alignedLines(lines, columnWidths(lines));
  let header: Line = [];
  return aligned
    .map((text, at) => {
      const line = lines[at] ?? [];
      if (headers.has(line)) {
        header = line;
        return `${paint.header(text)}\n`;
      }
      return `${paint.row(text, line, header)}\n`;
    })
    .join('');
}

export const asTable = (document: FetchedDocument | Table, now: number): Table =>
  isTable(document) ? document : plainTable(itemsOf(document) as never, now);

/** Neighbours of one resource together: they share their columns. */
function runsOf(found: readonly Found[]): { resource: ServedResource; documents: FetchedDocument[] }[] {
  const runs: { resource: ServedResource; documents: FetchedDocument[] }[] = [];
  for (const { resource, document } of found) {
    const last = runs.at(-1);
    if (last?.resource === resource) last.documents.push(document);
    else runs.push({ resource, documents: [document] });
  }
  return runs;
}
