import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';

/** What the server tells of who may do what. */

let plane: EmbeddedPlane;
beforeAll(async () => {
  plane = await startPlane({ store: 'memory', freezeObjects: true });
});
afterAll(() => plane.close());

const REVIEWS = '/apis/explain.platform.io/v1alpha1/subjectrulesreviews';

const ask = async (spec: object, as: 'admin' | { user: string; groups: string[] } = 'admin') => {
  const reply = await plane.inject({ method: 'POST', target: REVIEWS, as, body: JSON.stringify({ spec }) });
  return { status: reply.status, body: JSON.parse(String(reply.body)) };
};

describe('what an identity may do', () => {
  it('is told of anyone, with the groups that are named', async () => {
    const { status, body } = await ask({ groups: ['system:masters'] });
    expect(status).toBe(201);
    expect(body.status.resourceRules).toContainEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    const other = await ask({ user: 'alice' });
    expect(other.body.status.resourceRules).toBeNull();
  });

  it('is told with where it comes from', async () => {
    const groups = { apiGroup: 'rbac.authorization.platform.io' };
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    const roleRef = { ...groups, kind: 'Role', name: 'readers' };
    const path = '/apis/rbac.authorization.platform.io/v1/namespaces/default';
    for (const [plural, document] of Object.entries({
      roles: { rules },
      rolebindings: { roleRef, subjects: [{ ...groups, kind: 'Group', name: 'staff' }] },
    })) {
      const body = JSON.stringify({ metadata: { name: 'readers' }, ...document });
      expect((await plane.inject({ method: 'POST', target: `${path}/${plural}`, as: 'admin', body })).status).toBe(201);
    }
    const spec = { user: 'alice', groups: ['staff', 'system:authenticated'] };
    const { body } = await ask({ ...spec, namespace: 'default' });
    expect(body.status.heldRoles).toContainEqual({
      mode: 'RBAC',
      holder: { kind: 'Group', name: 'staff' },
      binding: { kind: 'RoleBinding', namespace: 'default', name: 'readers' },
      role: { kind: 'Role', namespace: 'default', name: 'readers' },
      rules,
    });
    const everywhere = (await ask(spec)).body.status.heldRoles as { binding: { kind: string } }[];
    expect(everywhere.length).toBeGreaterThan(0);
    expect(everywhere.every(({ binding }) => binding.kind === 'ClusterRoleBinding')).toBe(true);
  });

  it('is told only to those who may ask', async () => {
    const { status, body } = await ask({ user: 'alice' }, { user: 'alice', groups: ['staff'] });
    expect(status).toBe(403);
    expect(body.message).toContain('subjectrulesreviews.explain.platform.io is forbidden');
  });

  it('is asked of somebody', async () => {
    const { status, body } = await ask({ namespace: 'default' });
    expect(status).toBe(400);
    expect(body.message).toBe('spec.user or spec.groups is required');
  });
});
