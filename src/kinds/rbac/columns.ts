import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text, wide } from '../columns.ts';
import type { ClusterRoleBinding } from './cluster-role-binding.ts';
import type { RoleBinding } from './role-binding.ts';
import type { Subject } from './subject.ts';

type Binding = ClusterRoleBinding | RoleBinding;

export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn,
  text('Role', 'The role that is granted.', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  wide(text('Users', 'Users who get it.', (binding) => subjects(binding, 'User', nameOf))),
  wide(text('Groups', 'Groups that get it.', (binding) => subjects(binding, 'Group', nameOf))),
  wide(
    text('ServiceAccounts', 'Service accounts that get it.', (binding) => subjects(binding, 'ServiceAccount', path)),
  ),
];

const nameOf = ({ name }: Subject): string => name;
const path = ({ namespace = '', name }: Subject): string => `${namespace}/${name}`;

const subjects = (binding: Binding, kind: string, spell: (subject: Subject) => string): string =>
  (binding.subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(spell)
    .join(', ');
