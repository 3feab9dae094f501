import { optionalText } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { generator, required } from './generating.ts';
import { SUBJECT_FLAGS, subjectsOf } from './subjects.ts';

const clusterRole = optionalText('clusterrole', 'NAME', 'role of the whole plane');

export const createRoleBinding = generator({
  usage: 'create rolebinding NAME --clusterrole=NAME|--role=NAME',
  about: 'Gives a role to users, groups and service accounts in a namespace.',
  failing: 'failed to create rolebinding:',
  flags: { ...SUBJECT_FLAGS, clusterRole, role: optionalText('role', 'NAME', 'role of the namespace') },
  async make({ flags, meta, session }) {
    if ((flags.clusterRole === undefined) === (flags.role === undefined)) {
      throw new CommandError('exactly one of clusterrole or role must be specified');
    }
    const { rbac } = (await session.vocabulary()).groups;
    const kind = flags.role === undefined ? 'ClusterRole' : 'Role';
    const subjects = subjectsOf(flags, rbac);
    return {
      kind: 'RoleBinding',
      apiVersion: `${rbac}/v1`,
      metadata: meta(),
      ...(subjects.length > 0 ? { subjects } : {}),
      roleRef: { apiGroup: rbac, kind, name: flags.role ?? flags.clusterRole ?? '' },
    };
  },
});

export const createClusterRoleBinding = generator({
  usage: 'create clusterrolebinding NAME --clusterrole=NAME',
  about: 'Gives a role to users, groups and service accounts everywhere.',
  failing: 'failed to create clusterrolebinding:',
  flags: { ...SUBJECT_FLAGS, clusterRole },
  clusterWide: true,
  async make({ flags, meta, session }) {
    const { rbac } = (await session.vocabulary()).groups;
    const subjects = subjectsOf(flags, rbac);
    return {
      kind: 'ClusterRoleBinding',
      apiVersion: `${rbac}/v1`,
      metadata: meta(),
      ...(subjects.length > 0 ? { subjects } : {}),
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: required('clusterrole', flags.clusterRole) },
    };
  },
});
