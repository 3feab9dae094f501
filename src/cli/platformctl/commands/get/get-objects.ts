import type { Send } from '../../../../client/plane-client.ts';
import { isRefusal } from '../../../../client/plane-client.ts';
import type { FlagValues } from '../../../../settings/flag.ts';
import { CommandError, throwFailures } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { paintFor } from '../../print/colors.ts';
import type { ObjectPrinter } from '../../print/printable.ts';
import type { GET_FLAGS } from '../get-flags.ts';
import { type FetchSettings, fetchPages } from './fetch.ts';
import { type SelectedObjects, selectedObjects } from './selection.ts';
import { objectsText } from './show-objects.ts';
import { type Found, tablesText } from './show-tables.ts';

export type GetFlags = FlagValues<typeof GET_FLAGS>;

/** Whether objects are shown as a table, and not themselves. */
export const isForPeople = ({ output, template }: Pick<GetFlags, 'output' | 'template'>): boolean =>
  output === 'wide' || (output === undefined && template === undefined);

const TABLE_FORMATS = ['custom-columns', 'custom-columns-file', 'wide'];

/** The printer of a line that asks for objects themselves; undefined for tables. */
export async function printerOf(session: Session, flags: GetFlags): Promise<ObjectPrinter | undefined> {
  if (isForPeople(flags)) return undefined;
  const { objectPrinter } = await import('../../print/print-objects.ts');
  return objectPrinter(session, flags, 'sorted', TABLE_FORMATS);
}

/** Shows what there is. What cannot be had is told at the end, after all that can. */
export async function getObjects(session: Session, args: readonly string[], flags: GetFlags): Promise<void> {
  if (args.length === 0 && flags.filename.length === 0) await tellNothingNamed(session);
  const selected = await selectedObjects(args, flags, session);
  const { found, errors } = await find(await session.send(), selected, flags);
  // One object that is not there is told before what is wrong with a template.
  if (isForPeople(flags) || !selected.isSingle || errors.length === 0) {
    await show(session, selected, found, flags, errors);
  }
  throwFailures(errors);
}

async function show(
  session: Session,
  selected: SelectedObjects,
  found: readonly Found[],
  flags: GetFlags,
  errors: readonly unknown[],
): Promise<void> {
  const printer = await printerOf(session, flags);
  const text = printer
    ? await textOfObjects(printer, found, selected, flags, errors)
    : await textOfTables(session, found, flags);
  if (text !== '') await write(session.io.stdout, text);
  else if (!printer && !flags.ignoreNotFound && errors.length === 0) await tellNothingFound(session, selected, flags);
}

/** Answers, and what went wrong where there is none. */
async function find(
  send: Send,
  { selections }: SelectedObjects,
  flags: GetFlags,
): Promise<{ found: Found[]; errors: unknown[] }> {
  const forTables = flags.sortBy === undefined ? 'metadata' : 'object';
  const settings: FetchSettings = { ...flags, table: isForPeople(flags) && flags.serverPrint ? forTables : undefined };
  const found: Found[] = [];
  const errors: unknown[] = [];
  for (const selection of selections) {
    try {
      for await (const document of fetchPages(send, selection, settings)) {
        found.push({ resource: selection.resource, document });
      }
    } catch (error) {
      if (!(flags.ignoreNotFound && isRefusal(error, 'NotFound'))) errors.push(error);
    }
  }
  return { found, errors };
}

async function textOfTables(session: Session, found: readonly Found[], flags: GetFlags): Promise<string> {
  const paint = paintFor(flags.color, session.io);
  const shown = { ...flags, wide: flags.output === 'wide' };
  const { sortBy } = flags;
  if (sortBy === undefined) return tablesText(found, shown, paint, session.runtime.now(), (table) => table);
  const { sortedBy } = await import('../../print/sort.ts');
  const sorted = sortedBy(sortBy);
  return tablesText(found, shown, paint, session.runtime.now(), (table) => ({
    ...table,
    rows: sorted(table.rows, ({ object }) => object),
  }));
}

async function textOfObjects(
  printer: ObjectPrinter,
  found: readonly Found[],
  { isSingle }: SelectedObjects,
  { sortBy, ignoreNotFound }: GetFlags,
  errors: readonly unknown[],
): Promise<string> {
  if (found.length === 0 && (errors.length > 0 || (ignoreNotFound && isSingle))) return '';
  const documents = found.map(({ document }) => document);
  if (sortBy === undefined) return objectsText(printer, documents, isSingle, (items) => items);
  const { sortedBy } = await import('../../print/sort.ts');
  const sorted = sortedBy(sortBy);
  return objectsText(printer, documents, isSingle, (items) => sorted(items, (item) => item));
}

async function tellNothingNamed({ io }: Session): Promise<void> {
  await write(
    io.stderr,
    'You must specify the type of resource to get. Use "platformctl api-resources" for a complete list of supported resources.\n\n',
  );
}

async function tellNothingFound(session: Session, { selections }: SelectedObjects, flags: GetFlags): Promise<void> {
  const isInNamespace = !flags.allNamespaces && selections.every(({ resource }) => resource.namespaced);
  const { name } = await session.namespace();
  const where = isInNamespace ? ` in ${name} namespace.` : '';
  await write(session.io.stderr, `No resources found${where}\n`);
}

/** Refuses what a watch cannot do. */
export function demandOneResource({ selections }: SelectedObjects): void {
  if (new Set(selections.map(({ resource }) => resource)).size > 1 || selections.length > 1) {
    throw new CommandError('you may only specify a single resource type');
  }
}
