import type { ObjectPrinter, Printable } from '../../print/printable.ts';
import type { FetchedDocument } from './fetch.ts';

/** Objects as one document: the object itself where a line names one, and a list of all in any other case. */
export function objectsAsOne(documents: readonly FetchedDocument[], isSingle: boolean): Printable {
  const [only] = documents;
  if (isSingle && documents.length === 1 && only && only.items === undefined) return only;
  return {
    apiVersion: 'v1',
    kind: 'List',
    metadata: { resourceVersion: '' },
    items: documents.flatMap(itemsOf),
  } as Printable;
}

/** Items of a list say no kind where the list says it for them. */
export function itemsOf(document: FetchedDocument): readonly Printable[] {
  const { items, kind, apiVersion } = document;
  if (items === undefined) return [document];
  return items.map((item) => ({
    ...item,
    kind: item.kind ?? kind.replace(/List$/, ''),
    apiVersion: item.apiVersion ?? apiVersion,
  }));
}

/** The text of what was found, by a printer. */
export const objectsText = (
  printer: ObjectPrinter,
  documents: readonly FetchedDocument[],
  isSingle: boolean,
  sort: (items: readonly Printable[]) => readonly Printable[],
): string => {
  const one = objectsAsOne(documents, isSingle) as FetchedDocument;
  return printer.textOf(one.items === undefined ? one : ({ ...one, items: sort(one.items) } as Printable), 0);
};
