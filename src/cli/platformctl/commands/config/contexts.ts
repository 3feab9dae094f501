import { textField } from '../../../../outbound/config-fields.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { configFile, editConfig, onlyArgument, openConfig } from './open-config.ts';

export const currentContext = command({
  usage: 'config current-context',
  about: 'Shows the name of the current context.',
  flags: {},
  async run({ args, session }) {
    if (args.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
    const { merged } = await openConfig(session);
    if (merged.currentContext === undefined) throw new CommandError('current-context is not set');
    await write(session.io.stdout, `${merged.currentContext}\n`);
  },
});

export const useContext = command({
  usage: 'config use-context NAME',
  about: 'Makes a context the current one.',
  flags: {},
  async run({ args, session }) {
    const name = onlyArgument(args);
    await editConfig(session, (edit) => {
      if (!edit.config.contexts.has(name)) throw new CommandError(`no context exists with the name: "${name}"`);
      edit.setCurrentContext(name);
    });
    await write(session.io.stdout, `Switched to context "${name}".\n`);
  },
});

export const renameContext = command({
  usage: 'config rename-context NAME NEW_NAME',
  about: 'Gives a context another name. The current context stays the current one.',
  flags: {},
  async run({ args, session }) {
    const [name, newName, ...more] = args;
    if (name === undefined || newName === undefined || more.length > 0) {
      throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
    }
    const file = await configFile(session);
    await editConfig(session, (edit) => {
      const context = edit.entry('contexts', name);
      if (!context) throw new CommandError(`cannot rename the context "${name}", it's not in ${file}`);
      if (edit.entry('contexts', newName)) {
        throw new CommandError(
          `cannot rename the context "${name}", the context "${newName}" already exists in ${file}`,
        );
      }
      const place = edit.fileOf('contexts', name);
      const isCurrent = edit.config.currentContext === name;
      edit.remove('contexts', name);
      edit.set('contexts', newName, context, place);
      if (isCurrent) edit.setCurrentContext(newName);
    });
    await write(session.io.stdout, `Context "${name}" renamed to "${newName}".\n`);
  },
});

export const getContexts = command({
  usage: 'config get-contexts [NAME...]',
  about: 'Shows the contexts of the client configuration, or the named ones.',
  flags: {
    output: short('o', optionalText('output', 'name', 'name: names alone')),
    noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  },
  async run({ args, flags: { output, noHeaders }, session }) {
    if (output !== undefined && output !== 'name') {
      throw new CommandError(
        `--output ${output} is not available in platformctl config get-contexts; resetting to default output format`,
      );
    }
    const { merged } = await openConfig(session);
    const known = [...merged.contexts.keys()].sort();
    const wanted = args.length === 0 ? known : [...args].sort();
    const found = wanted.filter((name) => merged.contexts.has(name));
    const rows = found.map((name) => {
      const context = merged.contexts.get(name);
      const text = (field: string): string => (context && textField(context, field)) ?? '';
      return [name === merged.currentContext ? '*' : '', name, text('cluster'), text('user'), text('namespace')];
    });
    const isTable = output === undefined;
    const headers = isTable && !noHeaders ? [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']] : [];
    await write(
      session.io.stdout,
      isTable ? alignedText([...headers, ...rows]) : found.map((name) => `${name}\n`).join(''),
    );
    const missing = wanted.filter((name) => !merged.contexts.has(name));
    if (missing.length > 0)
      throw new CommandError(missing.map((name) => `context ${name} not found`).join('\nerror: '));
  },
});

/** A column is as wide as its longest cell and three spaces, and never below six; the last one is not padded. */
function alignedText(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(6, ...rows.map((row) => (row[column] ?? '').length + 3));
  const padded = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widthOf(column))));
  return rows.map((row) => `${padded(row).join('')}\n`).join('');
}
