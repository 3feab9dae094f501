import type { AnyObject } from '../../../../client/plane-client.ts';
import { sameJson } from '../../../../schema/same-json.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { SUBJECT_FLAGS, type Subject, subjectsOf } from '../create/subjects.ts';
import { SETTING_FLAGS, setInObjects } from './setting.ts';

interface Binding extends AnyObject {
  readonly subjects?: readonly Subject[];
}

export const setSubject = command({
  usage: 'set subject (-f FILE | TYPE NAME) [--user=NAME] [--group=NAME] [--serviceaccount=NAMESPACE:NAME]',
  about: 'Adds users, groups and service accounts to bindings of roles.',
  flags: { ...SETTING_FLAGS, ...SUBJECT_FLAGS },
  async run({ args, flags, session }) {
    const { rbac } = (await session.vocabulary()).groups;
    const added = subjectsOf(flags, rbac);
    if (added.length === 0) {
      throw new CommandError('you must specify at least one value of user, group or serviceaccount');
    }
    await setInObjects(session, flags, {
      args,
      done: 'subjects updated',
      change(object, name) {
        if (!/^(Cluster)?RoleBinding$/.test(object.kind)) {
          throw new CommandError(`${name} setting subjects is only supported for RoleBinding/ClusterRoleBinding`);
        }
        const before = (object as Binding).subjects ?? [];
        const news = added.filter((one) => !before.some((other) => sameJson(one, other)));
        return news.length === 0 ? object : ({ ...object, subjects: [...before, ...news] } as Binding);
      },
    });
  },
});
