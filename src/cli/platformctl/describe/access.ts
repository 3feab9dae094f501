import type { Secret } from '../../../kinds/core/config/secret.ts';
import type { ServiceAccount } from '../../../kinds/core/config/service-account.ts';
import type { PolicyRule } from '../../../kinds/rbac/policy-rule.ts';
import type { Role } from '../../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../../kinds/rbac/role-binding.ts';
import { compactRules, resourceText } from '../access/rules.ts';
import { writeClusterIdentity, writeIdentity } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { listText } from './texts.ts';

export const serviceAccount = describer<ServiceAccount>(async (sheet, { object, plane, vocabulary }) => {
  const { metadata, imagePullSecrets, secrets } = object;
  const { name, namespace = '', uid } = metadata;
  const there = await plane.list<Secret>('', 'secrets', namespace).catch((): undefined => undefined);
  const { serviceAccountName, serviceAccountUid } = vocabulary.annotations;
  const tokens = (there ?? []).filter(
    ({ type, metadata: { annotations = {} } }) =>
      type === vocabulary.secretTypes.serviceAccountToken &&
      annotations[serviceAccountName] === name &&
      annotations[serviceAccountUid] === uid,
  );
  const names = there && new Set(there.map((one) => one.metadata.name));
  const shown = (one: string): string => (names && !names.has(one) ? `${one} (not found)` : one);
  writeIdentity(sheet, metadata, vocabulary);
  writeSecrets(
    sheet,
    'Image pull secrets:',
    (imagePullSecrets ?? []).map((one) => shown(one.name ?? '')),
  );
  writeSecrets(
    sheet,
    'Mountable secrets: ',
    (secrets ?? []).map((one) => shown(one.name ?? '')),
  );
  writeSecrets(
    sheet,
    'Tokens:            ',
    tokens.map((one) => shown(one.metadata.name ?? '')),
  );
});

function writeSecrets(sheet: Sheet, title: string, names: readonly string[]): void {
  const [first = '<none>', ...others] = names;
  sheet.line(0, title, first);
  for (const name of others) sheet.line(0, ' '.repeat(title.length), name);
}

/** Roles of a namespace, and those of the whole plane. */
export const role = describer<Role>((sheet, { object, vocabulary }) => {
  writeClusterIdentity(sheet, object.metadata, vocabulary);
  sheet.line(0, 'PolicyRule:');
  const rows = compactRules(object.rules ?? []).map((rule: PolicyRule) => [
    resourceText(rule),
    listText(rule.nonResourceURLs),
    listText(rule.resourceNames),
    listText(rule.verbs),
  ]);
  sheet.table(1, ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], rows);
}, false);

/** Bindings of a namespace, and those of the whole plane. */
export const roleBinding = describer<RoleBinding>((sheet, { object, vocabulary }) => {
  writeClusterIdentity(sheet, object.metadata, vocabulary);
  sheet.line(0, 'Role:');
  sheet.field('Kind', object.roleRef.kind, 1);
  sheet.field('Name', object.roleRef.name, 1);
  sheet.line(0, 'Subjects:');
  const rows = (object.subjects ?? []).map(({ kind, name, namespace }) => [kind, name, namespace ?? '']);
  sheet.table(1, ['Kind', 'Name', 'Namespace'], rows);
}, false);
