import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { asksForObjects, type OutputFlags } from './output-flags.ts';
import type { KeyOrder, ObjectPrinter, Printable } from './printable.ts';

/** Prints an object as `-o` says. */
export const printObject = (
  session: Session,
  object: Printable,
  flags: OutputFlags,
  keys: KeyOrder = 'sorted',
): Promise<void> => printObjects(session, [object], flags, keys);

/** Prints objects one after the other as `-o` says, each as a document of its own. */
export async function printObjects(
  session: Session,
  objects: Iterable<Printable> | AsyncIterable<Printable>,
  flags: OutputFlags,
  keys: KeyOrder = 'sorted',
): Promise<void> {
  const printer = await objectPrinter(session, flags, keys);
  let count = 0;
  for await (const object of objects) await write(session.io.stdout, printer.textOf(object, count++));
}

/**
 * Prints what was done with an object, `configmap/a created`, or the object itself where `-o` asks for it. `count` is the
 * number of objects that were printed before.
 */
export async function printOutcome(
  session: Session,
  object: Printable,
  done: string,
  flags: OutputFlags,
  { keys = 'sorted', count = 0 }: { readonly keys?: KeyOrder; readonly count?: number } = {},
): Promise<void> {
  if (asksForObjects(flags)) {
    const printer = await objectPrinter(session, flags, keys);
    await write(session.io.stdout, printer.textOf(object, count));
    return;
  }
  const { nameText } = await import('./name-text.ts');
  await write(session.io.stdout, `${nameText(object).trimEnd()} ${done}\n`);
}

const FORMATS = [
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'template',
  'templatefile',
  'yaml',
];

/** The printer that `-o` names; refuses what there is no printer for. `more` are formats that a command has besides. */
export async function objectPrinter(
  session: Session,
  flags: OutputFlags & { readonly noHeaders?: boolean },
  keys: KeyOrder = 'sorted',
  more: readonly string[] = [],
): Promise<ObjectPrinter> {
  const output = flags.output ?? (flags.template === undefined ? '' : 'go-template');
  const equals = output.indexOf('=');
  const format = equals < 0 ? output : output.slice(0, equals);
  const template = equals < 0 ? flags.template : output.slice(equals + 1);
  if (format === 'json' || format === 'yaml') return documentPrinter(format, flags, keys);
  if (format === 'name') return { textOf: (await import('./name-text.ts')).nameText };
  if (format.startsWith('custom-columns') && more.includes(format)) {
    const { columnsOf, columnsOfFile, customColumnsPrinter } = await import('./custom-columns.ts');
    const isFile = format.endsWith('-file');
    const columns = isFile ? columnsOfFile(await fileText(session, template)) : columnsOf(template ?? '');
    return customColumnsPrinter(columns, flags.noHeaders ?? false);
  }
  if (FORMATS.includes(format)) return templatePrinter(session, format, template, flags);
  const allowed = [...FORMATS, ...more].sort().join(',');
  throw new CommandError(
    `unable to match a printer suitable for the output format "${format}", allowed formats are: ${allowed}`,
  );
}

async function documentPrinter(format: 'json' | 'yaml', flags: OutputFlags, keys: KeyOrder): Promise<ObjectPrinter> {
  const { withoutManagedFields } = await import('./managed-fields.ts');
  const shown = (object: Printable): Printable => (flags.showManagedFields ? object : withoutManagedFields(object));
  if (format === 'json') {
    const { jsonText } = await import('./json-text.ts');
    return { textOf: (object) => `${jsonText(shown(object), keys)}\n` };
  }
  const { yamlText } = await import('./yaml-text.ts');
  return { textOf: (object, at) => `${at === 0 ? '' : '---\n'}${yamlText(shown(object))}` };
}

async function templatePrinter(
  session: Session,
  format: string,
  given: string | undefined,
  flags: OutputFlags,
): Promise<ObjectPrinter> {
  const allowMissing = flags.allowMissingTemplateKeys ?? true;
  if (given === undefined || given === '') throw new CommandError('template format specified but no template given');
  const template = format.endsWith('file') ? await fileText(session, given) : given;
  if (format.startsWith('jsonpath')) {
    const { jsonPathPrinter } = await import('./json-path/print.ts');
    return jsonPathPrinter(template, { allowMissing, asJson: format === 'jsonpath-as-json' });
  }
  const { goTemplatePrinter } = await import('./go-template/print.ts');
  return goTemplatePrinter(template, allowMissing);
}

async function fileText({ io }: Session, file = ''): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  return readFile(resolve(io.cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOENT' ? 'no such file or directory' : error.message;
    throw new CommandError(`error reading --template ${file}, open ${file}: ${problem}`);
  });
}
