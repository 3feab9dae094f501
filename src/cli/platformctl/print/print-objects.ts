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
  _session: Session,
  flags: OutputFlags,
  keys: KeyOrder = 'sorted',
  more: readonly string[] = [],
): Promise<ObjectPrinter> {
  const { output, template } = flags;
  const format = output ?? (template === undefined ? '' : 'go-template');
  const { withoutManagedFields } = await import('./managed-fields.ts');
  const shown = (object: Printable): Printable => (flags.showManagedFields ? object : withoutManagedFields(object));
  switch (format) {
    case 'json': {
      const { jsonText } = await import('./json-text.ts');
      return { textOf: (object) => `${jsonText(shown(object), keys)}\n` };
    }
    case 'yaml': {
      const { yamlText } = await import('./yaml-text.ts');
      return { textOf: (object, at) => `${at === 0 ? '' : '---\n'}${yamlText(shown(object))}` };
    }
    case 'name': {
      const { nameText } = await import('./name-text.ts');
      return { textOf: nameText };
    }
  }
  const allowed = [...FORMATS, ...more].sort().join(',');
  throw new CommandError(
    `unable to match a printer suitable for the output format "${format}", allowed formats are: ${allowed}`,
  );
}
