import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { editConfig, withFields } from './open-config.ts';

export const setContext = command({
  usage: 'config set-context [NAME | --current] [--cluster=NAME] [--user=NAME] [--namespace=NAMESPACE]',
  about: 'Sets fields of a context in the client configuration. A context that is there keeps its other fields.',
  examples: [['Work in another namespace from now on', 'config set-context --current --namespace=work']],
  flags: {
    current: onOff('current', false, 'the current context'),
    cluster: optionalText('cluster', 'NAME', 'cluster of the context'),
    user: optionalText('user', 'NAME', 'user of the context'),
    namespace: { ...optionalText('namespace', 'NAMESPACE', 'namespace of the context'), short: 'n' },
  },
  async run({ args, flags, isGiven, session }) {
    const [given = '', ...more] = args;
    if (flags.current && args.length > 0)
      throw new CommandError('you cannot specify both a context name and --current');
    if (more.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
    if (!flags.current && given === '')
      throw new CommandError('you must specify a non-empty context name or --current');
    const told = await editConfig(session, (edit) => {
      const name = flags.current ? edit.config.currentContext : given;
      if (name === undefined) throw new CommandError('no current context is set');
      const former = edit.entry('contexts', name);
      edit.set(
        'contexts',
        name,
        withFields(former ?? {}, {
          ...(isGiven('cluster') ? { cluster: flags.cluster } : {}),
          ...(isGiven('user') ? { user: flags.user } : {}),
          ...(isGiven('namespace') ? { namespace: flags.namespace } : {}),
        }),
      );
      return `Context "${name}" ${former === undefined ? 'created' : 'modified'}.\n`;
    });
    await write(session.io.stdout, told);
  },
});
