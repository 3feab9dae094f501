import { expect, it } from 'vitest';
import type { ObjectListener } from '../../registry/informer.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { bootstrapPolicy } from '../bootstrap/policy.ts';
import { feedRbacIndex } from './feed.ts';
import { RbacIndex } from './rbac-index.ts';

const v = vocabularies.platform;
const PLURALS: Record<string, string> = {
  ClusterRole: 'clusterroles',
  Role: 'roles',
  ClusterRoleBinding: 'clusterrolebindings',
  RoleBinding: 'rolebindings',
};

it('stored roles and bindings reach the index, and leave it', () => {
  const index = new RbacIndex(v.groups.rbac);
  const listeners = new Map<string, ObjectListener>();
  feedRbacIndex(
    index,
    {
      follow({ group, plural }, listener) {
        listeners.set(`${plural}.${group}`, listener);
        return { close() {} };
      },
    },
    v.groups.rbac,
  );
  const listenerOf = ({ kind }: ApiObject) => listeners.get(`${PLURALS[kind]}.${v.groups.rbac}`);

  const may = (user: string, verb: string, resource: string, namespace: string) =>
    index.authorize({
      user: { name: user, uid: '', groups: [], extra: new Map() },
      verb,
      resourceRequest: true,
      group: '',
      version: 'v1',
      resource,
      subresource: '',
      namespace,
      name: '',
      path: '',
    }).decision === 'allow';
  const cleaner = 'system:serviceaccount:platform-system:token-cleaner';
  const decisions = () => [
    may(v.systemNames.scheduler, 'delete', 'pods', 'default'),
    may(v.systemNames.scheduler, 'create', 'pods', 'default'),
    may(cleaner, 'delete', 'secrets', 'platform-system'),
    may(cleaner, 'delete', 'secrets', 'default'),
  ];

  const policy = bootstrapPolicy(v);
  expect(decisions()).toEqual([false, false, false, false]);
  for (const object of policy) listenerOf(object)?.onSet?.(object);
  expect(decisions()).toEqual([true, false, true, false]);
  for (const object of policy) listenerOf(object)?.onRemove?.(object);
  expect(decisions()).toEqual([false, false, false, false]);
});
