import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { withPodSpec } from './pod-spec.ts';
import { SETTING_FLAGS, setInObjects } from './setting.ts';

export const setServiceAccount = command({
  usage: 'set serviceaccount (-f FILE | TYPE NAME) SERVICE_ACCOUNT',
  about: 'Sets the service account that pods run as.',
  flags: SETTING_FLAGS,
  async run({ args, flags, session }) {
    const account = args.at(-1);
    if (account === undefined) throw new CommandError('serviceaccount is required');
    await setInObjects(session, flags, {
      args: args.slice(0, -1),
      done: 'serviceaccount updated',
      tellsUnchanged: true,
      change: (object, name) => withPodSpec(object, name, (spec) => ({ ...spec, serviceAccountName: account })),
    });
  },
});
