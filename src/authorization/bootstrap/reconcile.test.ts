import { describe, expect, it } from 'vitest';
import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { aggregatedRole, clusterRole, clusterRoleBinding, group, rule, user } from './declare.ts';
import { bootstrapPolicy, type PolicyObject } from './policy.ts';
import { reconcile } from './reconcile.ts';

const v = vocabularies.platform;
const wantedRole = clusterRole(v, 'r', [rule('get list', '', 'pods'), rule('get', 'apps', 'deployments')]);
const wantedBinding = clusterRoleBinding(v, 'r', [user(v, 'alice'), group(v, 'dev')]);

const stored = <T extends PolicyObject>(object: T, changes: Partial<T> = {}): T => ({
  ...object,
  ...changes,
  metadata: { ...object.metadata, ...changes.metadata, resourceVersion: '7' },
});

describe('reconciling', () => {
  it('creates what is missing', () => {
    expect(reconcile(undefined, wantedRole, v)).toEqual({ action: 'create', object: wantedRole });
  });

  it('leaves alone what is as wanted, for every object of the policy', () => {
    const touched = bootstrapPolicy(v).filter((object) => reconcile(stored(object), object, v) !== undefined);
    expect(touched).toEqual([]);
  });

  it('adds missing labels and annotations and keeps those there are', () => {
    const bare = stored(wantedRole, {
      metadata: {
        name: 'r',
        creationTimestamp: null,
        labels: { [v.labels.bootstrapping]: 'mine', x: 'y' },
        annotations: {},
      },
    });
    expect(reconcile(bare, wantedRole, v)).toMatchObject({
      action: 'update',
      object: {
        metadata: {
          resourceVersion: '7',
          labels: { [v.labels.bootstrapping]: 'mine', x: 'y' },
          annotations: { [v.annotations.rbacAutoupdate]: 'true' },
        },
      },
    });
  });

  it('touches nothing that forbids it', () => {
    const annotations = { [v.annotations.rbacAutoupdate]: 'false' };
    const metadata = { name: 'r', creationTimestamp: null, annotations };
    expect(reconcile(stored(wantedRole, { metadata, rules: null }), wantedRole, v)).toBeUndefined();
    const elsewhere = { ...wantedBinding.roleRef, name: 'other' };
    expect(reconcile(stored(wantedBinding, { metadata, roleRef: elsewhere }), wantedBinding, v)).toBeUndefined();
  });

  it('refuses to mistake a role for a binding', () => {
    expect(() => reconcile(wantedRole, wantedBinding, v)).toThrow(
      'cannot turn a ClusterRole into a ClusterRoleBinding',
    );
  });
});

describe('a role', () => {
  const changed = (role: ClusterRole) => reconcile(role, wantedRole, v)?.object;

  it('gets the rights it lacks, and only those', () => {
    const extra = rule('*', 'batch', 'jobs');
    const weak = stored(wantedRole, { rules: [extra, rule('get', '', 'pods services')] });
    expect(changed(weak)).toEqual({
      ...weak,
      rules: [...(weak.rules ?? []), rule('list', '', 'pods'), rule('get', 'apps', 'deployments')],
    });
    expect(changed(stored(wantedRole, { rules: null }))).toMatchObject({ metadata: { resourceVersion: '7' } });
  });

  it('that holds more is left alone', () => {
    expect(changed(stored(wantedRole, { rules: [rule('*', '*', '*')] }))).toBeUndefined();
  });

  it('stops being aggregated where that is not wanted', () => {
    const aggregated = stored(wantedRole, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
    expect(changed(aggregated)).toEqual(stored(wantedRole));
  });

  it('gets the selectors it lacks where it is to be aggregated', () => {
    const wanted = aggregatedRole(v, 'r', v.labels.aggregateToView);
    const own = { matchLabels: { mine: 'true' } };
    const existing = stored(wanted, {
      rules: [rule('get', '', 'pods')],
      aggregationRule: { clusterRoleSelectors: [own] },
    });
    expect(reconcile(existing, wanted, v)?.object).toEqual({
      ...existing,
      aggregationRule: { clusterRoleSelectors: [own, { matchLabels: { [v.labels.aggregateToView]: 'true' } }] },
    });
  });
});

describe('a binding', () => {
  const changed = (binding: ClusterRoleBinding) => reconcile(binding, wantedBinding, v);

  it('gets the subjects it lacks and keeps the others', () => {
    const existing = stored(wantedBinding, { subjects: [user(v, 'bob'), group(v, 'dev'), group(v, 'alice')] });
    expect(changed(existing)).toEqual({
      action: 'update',
      object: { ...existing, subjects: [...(existing.subjects ?? []), user(v, 'alice')] },
    });
  });

  it('to another role is made anew', () => {
    const existing = stored(wantedBinding, { roleRef: { ...wantedBinding.roleRef, name: 'other' } });
    expect(changed(existing)).toEqual({ action: 'recreate', object: wantedBinding });
  });
});
