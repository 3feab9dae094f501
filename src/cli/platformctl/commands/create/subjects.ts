import { list, repeated } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';

/** Flags that say whom a binding is for. */
export const SUBJECT_FLAGS = {
  user: repeated('user', 'NAME', 'user that the role is given to'),
  group: repeated('group', 'NAME', 'group that the role is given to'),
  serviceAccount: list('serviceaccount', 'NAMESPACE:NAME', [], 'service account that the role is given to'),
};

export interface SubjectFlags {
  readonly user: readonly string[];
  readonly group: readonly string[];
  readonly serviceAccount: readonly string[];
}

/** Whom a binding is for. */
export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Users, groups and accounts, in this order. */
export function subjectsOf({ user, group, serviceAccount }: SubjectFlags, apiGroup: string): Subject[] {
  return [
    ...user.map((name) => ({ kind: 'User', apiGroup, name })),
    ...group.map((name) => ({ kind: 'Group', apiGroup, name })),
    ...serviceAccount.map((given) => {
      const [namespace = '', name = '', ...more] = given.split(':');
      if (namespace === '' || name === '' || more.length > 0) {
        throw new CommandError('serviceaccount must be <namespace>:<name>');
      }
      return { kind: 'ServiceAccount', name, namespace };
    }),
  ];
}
