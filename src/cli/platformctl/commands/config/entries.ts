import type { EntryList } from '../../../../outbound/config-file.ts';
import { type Command, command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import { configFile, editConfig, openConfig } from './open-config.ts';

/** Shows the names of a list. */
const listing = (name: 'clusters' | 'users'): Command =>
  command({
    usage: `config get-${name}`,
    about: `Shows the names of the ${name} of the client configuration.`,
    flags: {},
    async run({ args, session }) {
      if (args.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
      const { merged } = await openConfig(session);
      const names = [...merged[name].keys()].sort();
      await write(session.io.stdout, ['NAME', ...names].map((each) => `${each}\n`).join(''));
    },
  });

/** Takes an entry away. What refers to it stays. */
const removal = (what: 'cluster' | 'user' | 'context', list: EntryList): Command =>
  command({
    usage: `config delete-${what} NAME`,
    about: `Removes a ${what} from the client configuration.`,
    flags: {},
    async run({ args, session }) {
      const [name, ...more] = args;
      if (name === undefined) throw new CommandError(`${what} to delete is required`);
      if (more.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
      const file = await configFile(session);
      const isCurrent = await editConfig(session, (edit) => {
        if (!edit.entry(list, name)) throw new CommandError(`cannot delete ${what} ${name}, not in ${file}`);
        edit.remove(list, name);
        return what === 'context' && edit.config.currentContext === name;
      });
      if (isCurrent) {
        await write(
          session.io.stderr,
          'warning: this removed your active context, use "platformctl config use-context" to select a different one\n',
        );
      }
      await write(session.io.stdout, `deleted ${what} ${name} from ${file}\n`);
    },
  });

export const getClusters = listing('clusters');
export const getUsers = listing('users');
export const deleteCluster = removal('cluster', 'clusters');
export const deleteUser = removal('user', 'users');
export const deleteContext = removal('context', 'contexts');
