import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { RoleRef, Subject } from '../../kinds/rbac/subject.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { uncovered } from '../rbac/covers.ts';
import type { PolicyObject } from './policy.ts';

type AnyRole = ClusterRole | Role;
type AnyBinding = ClusterRoleBinding | RoleBinding;

/** What to write. `recreate`: delete what is there, then create the object, because an update would be refused. */
export interface Correction {
  readonly action: 'create' | 'update' | 'recreate';
  readonly object: PolicyObject;
}

/**
 * How to bring a stored object up to what is wanted: missing rules, subjects, labels and annotations are added, what is
 * there beyond them stays. Undefined when nothing is to be done, or when the object's annotation forbids it. An `update`
 * is based on `existing`, its resourceVersion included.
 */
export function reconcile(
  existing: PolicyObject | undefined,
  wanted: PolicyObject,
  v: Vocabulary,
): Correction | undefined {
  if (!existing) return { action: 'create', object: wanted };
  if (existing.metadata.annotations?.[v.annotations.rbacAutoupdate] === 'false') return undefined;
  if (isBinding(wanted) && isBinding(existing)) return reconcileBinding(existing, wanted);
  if (!isBinding(wanted) && !isBinding(existing)) return reconcileRole(existing, wanted);
  throw new Error(`cannot turn a ${existing.kind} into a ${wanted.kind}`);
}

const isBinding = (object: PolicyObject): object is AnyBinding => 'roleRef' in object;

function reconcileRole(existing: AnyRole, wanted: AnyRole): Correction | undefined {
  const steps = [withMetadata, withRules, withSelectors];
  return updateOf(
    existing,
    steps.reduce((role, step) => step(role, wanted), existing),
  );
}

function reconcileBinding(existing: AnyBinding, wanted: AnyBinding): Correction | undefined {
  if (!isSameRole(existing.roleRef, wanted.roleRef)) return { action: 'recreate', object: wanted };
  return updateOf(existing, withSubjects(withMetadata(existing, wanted), wanted));
}

// Each step gives back the very object it got when there is nothing to add.
const updateOf = (existing: PolicyObject, object: PolicyObject): Correction | undefined =>
  object === existing ? undefined : { action: 'update', object };

function withMetadata<T extends PolicyObject>(object: T, wanted: PolicyObject): T {
  const labels = withEntries(object.metadata.labels, wanted.metadata.labels);
  const annotations = withEntries(object.metadata.annotations, wanted.metadata.annotations);
  if (!labels && !annotations) return object;
  const added = { ...(labels && { labels }), ...(annotations && { annotations }) };
  return { ...object, metadata: { ...object.metadata, ...added } };
}

type Pairs = { [key: string]: string };

/** Undefined when every wanted key is there, whatever its value. */
function withEntries(pairs: Pairs = {}, wanted: Pairs = {}): Pairs | undefined {
  return Object.keys(wanted).every((key) => Object.hasOwn(pairs, key)) ? undefined : { ...wanted, ...pairs };
}

function withRules(role: AnyRole, wanted: AnyRole): AnyRole {
  const rules = role.rules ?? [];
  const missing = uncovered(rules, wanted.rules ?? []);
  return missing.length === 0 ? role : { ...role, rules: [...rules, ...missing] };
}

/** A role that is not to be put together from others stops being so: its rules would be overwritten. */
function withSelectors(role: AnyRole, wanted: AnyRole): AnyRole {
  const selectors = selectorsOf(role);
  const wantedSelectors = selectorsOf(wanted);
  if (!wantedSelectors) return selectors ? withoutAggregation(role) : role;
  const known = selectors ?? [];
  const texts = new Set(known.map((it) => JSON.stringify(it)));
  const missing = wantedSelectors.filter((it) => !texts.has(JSON.stringify(it)));
  return missing.length === 0 ? role : { ...role, aggregationRule: { clusterRoleSelectors: [...known, ...missing] } };
}

const selectorsOf = (role: AnyRole) =>
  'aggregationRule' in role && role.aggregationRule ? (role.aggregationRule.clusterRoleSelectors ?? []) : undefined;

function withoutAggregation({ kind, apiVersion, metadata, rules }: AnyRole): AnyRole {
  return { kind, apiVersion, metadata, rules };
}

function withSubjects<T extends AnyBinding>(binding: T, wanted: AnyBinding): T {
  const subjects = binding.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((it) => !subjects.some((other) => isSameSubject(other, it)));
  return missing.length === 0 ? binding : { ...binding, subjects: [...subjects, ...missing] };
}

const isSameRole = (one: RoleRef, other: RoleRef): boolean =>
  one.kind === other.kind && one.name === other.name && one.apiGroup === other.apiGroup;

const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.kind === other.kind &&
  one.name === other.name &&
  (one.apiGroup ?? '') === (other.apiGroup ?? '') &&
  (one.namespace ?? '') === (other.namespace ?? '');
