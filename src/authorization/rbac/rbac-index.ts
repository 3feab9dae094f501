import type { UserInfo } from '../../api/user.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { RoleRef, Subject } from '../../kinds/rbac/subject.ts';
import { ABSTAIN } from '../always.ts';
import {
  type Attributes,
  type Authorizer,
  combinedResource,
  type Decision,
  type RuleSummary,
  type Wanted,
} from '../attributes.ts';
import type { Grant, GrantSteps } from '../grants.ts';
import { CompiledRole } from './compiled-role.ts';
import { grantOf } from './grant-of-share.ts';
import { describeSubject, holderOf } from './holder.ts';
import { type RoleSlot, Scope, type Share } from './scope.ts';

const CLUSTER = '';

/** Namespaces contain no slash, so the parts cannot run into each other. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/**
 * Role-based access control over grants kept by subject: a decision looks only at what the user and each of the user's
 * groups hold cluster-wide, then in the namespace of the request. Where a method takes a namespace, '' means the
 * cluster-wide kind.
 */
export class RbacIndex implements Authorizer {
  readonly mode = 'RBAC';
  readonly #apiGroup: string;
  readonly #slots = new Map<string, RoleSlot>();
  readonly #scopes = new Map<string, Scope>();

  /** `apiGroup` is the group of the role kinds, which messages about missing roles name. */
  constructor(apiGroup: string) {
    this.#apiGroup = apiGroup;
  }

  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | null): void {
    this.#slotOf(namespace, name).role = new CompiledRole(rules ?? []);
  }

  removeRole(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const slot = this.#slots.get(key);
    if (!slot) return;
    slot.role = undefined;
    this.#dropIfUnused(key, slot);
  }

  /** Takes the place of an earlier binding of that name. A reference that can lead to no role grants nothing. */
  setBinding(namespace: string, name: string, subjects: readonly Subject[], roleRef: RoleRef): void {
    this.removeBinding(namespace, name);
    const roleNamespace = namespaceOfRole(namespace, roleRef.kind);
    if (roleNamespace === undefined) return;
    const slot = this.#slotOf(roleNamespace, roleRef.name);
    slot.bindings++;
    const of = { namespace, name };
    const shares = subjects.flatMap((subject) => {
      const holder = holderOf(subject, namespace);
      return holder ? { holder, of, slot, subject, allow: undefined } : [];
    });
    this.#scopeOf(namespace).add({ namespace, name, slot, shares });
  }

  removeBinding(namespace: string, name: string): void {
    const scope = this.#scopes.get(namespace);
    const slot = scope?.remove(name)?.slot;
    if (!slot) return;
    if (scope?.isEmpty) this.#scopes.delete(namespace);
    slot.bindings--;
    this.#dropIfUnused(keyOf(slot.namespace, slot.name), slot);
  }

  authorize(attributes: Attributes): Decision {
    const { user, resourceRequest } = attributes;
    const namespace = resourceRequest ? attributes.namespace : CLUSTER;
    const resource = combinedResource(attributes);
    const share =
      this.#scopes.get(CLUSTER)?.firstAllowing(attributes, resource) ??
      (namespace === CLUSTER ? undefined : this.#scopes.get(namespace)?.firstAllowing(attributes, resource));
    if (share) {
      share.allow ??= allowance(share);
      return share.allow;
    }
    const missing = this.#missingRoles(user, namespace);
    return missing === '' ? ABSTAIN : { decision: 'abstain', reason: `RBAC: ${missing}` };
  }

  *grants(wanted: Wanted, user?: UserInfo): GrantSteps {
    const resource = combinedResource(wanted);
    const rulesBySlot = new Map<RoleSlot, readonly PolicyRule[]>();
    for (const share of this.#sharesIn(wanted.resourceRequest ? wanted.namespace : CLUSTER, user)) {
      const { slot } = share;
      const known = rulesBySlot.get(slot);
      const rules = known ?? (slot.role?.allowing(wanted, resource) ?? []).map(({ source }) => source);
      if (!known) rulesBySlot.set(slot, rules);
      yield rules.length > 0 ? grantOf(share, rules) : undefined;
    }
  }

  /** What a user holds cluster-wide and, unless `namespace` is '', in that namespace, binding by binding. */
  *grantsHeld(user: UserInfo, namespace: string): Generator<Grant, void, undefined> {
    for (const share of this.#sharesOf(user, namespace)) yield grantOf(share, sourcesOf(share.slot) ?? []);
  }

  /** What a user holds anywhere, in steps. */
  *sharesAnywhere(user: UserInfo): Generator<Share | undefined, void, undefined> {
    for (const scope of [...this.#scopes.values()]) {
      yield undefined;
      yield* scope.heldBy(user);
    }
  }

  /** The stored roles of this moment. */
  get roles(): readonly RoleSlot[] {
    return [...this.#slots.values()];
  }

  *#sharesIn(namespace: string, user: UserInfo | undefined): Generator<Share, void, undefined> {
    if (user) {
      yield* this.#sharesOf(user, namespace);
      return;
    }
    for (const each of new Set([CLUSTER, namespace])) {
      for (const { shares } of this.#scopes.get(each)?.bindings ?? []) yield* shares;
    }
  }

  rulesFor(user: UserInfo, namespace: string): RuleSummary {
    const rules = this.policyRulesFor(user, namespace);
    return {
      resourceRules: rules.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames = [] }) =>
        resources.length === 0 ? [] : { verbs: verbs ?? [], apiGroups, resources, resourceNames },
      ),
      nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs = [] }) =>
        nonResourceURLs.length === 0 ? [] : { verbs: verbs ?? [], nonResourceURLs },
      ),
      incomplete: false,
      problem: this.#missingRoles(user, namespace),
    };
  }

  /** Every rule the user holds cluster-wide and, unless `namespace` is '', in that namespace. */
  policyRulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return this.#sharesOf(user, namespace).flatMap(({ slot }) => sourcesOf(slot) ?? []);
  }

  /** The rules of a stored role; undefined when there is none. */
  roleRules(namespace: string, name: string): PolicyRule[] | undefined {
    return sourcesOf(this.#slots.get(keyOf(namespace, name)));
  }

  #sharesOf(user: UserInfo, namespace: string): Share[] {
    const everywhere = this.#scopes.get(CLUSTER)?.heldBy(user) ?? [];
    return namespace === CLUSTER ? everywhere : everywhere.concat(this.#scopes.get(namespace)?.heldBy(user) ?? []);
  }

  /** What to say about roles that the user was granted and that are not there; '' when there are none. */
  #missingRoles(user: UserInfo, namespace: string): string {
    const missing = new Set<string>();
    for (const { slot } of this.#sharesOf(user, namespace)) {
      if (!slot.role)
        missing.add(`${slot.kind.toLowerCase()}.${this.#apiGroup} ${JSON.stringify(slot.name)} not found`);
    }
    return missing.size > 1 ? `[${[...missing].join(', ')}]` : [...missing].join('');
  }

  #slotOf(namespace: string, name: string): RoleSlot {
    const key = keyOf(namespace, name);
    const known = this.#slots.get(key);
    if (known) return known;
    const kind = namespace === CLUSTER ? 'ClusterRole' : 'Role';
    const slot: RoleSlot = { kind, namespace, name, role: undefined, bindings: 0 };
    this.#slots.set(key, slot);
    return slot;
  }

  #dropIfUnused(key: string, slot: RoleSlot): void {
    if (!slot.role && slot.bindings === 0) this.#slots.delete(key);
  }

  #scopeOf(namespace: string): Scope {
    const known = this.#scopes.get(namespace);
    if (known) return known;
    const scope = new Scope();
    this.#scopes.set(namespace, scope);
    return scope;
  }
}

const sourcesOf = (slot: RoleSlot | undefined): PolicyRule[] | undefined =>
  slot?.role?.rules.map(({ source }) => source);

/** Undefined where a binding may not refer to a role of that kind. */
function namespaceOfRole(bindingNamespace: string, roleKind: string): string | undefined {
  if (roleKind === 'ClusterRole') return CLUSTER;
  return roleKind === 'Role' && bindingNamespace !== CLUSTER ? bindingNamespace : undefined;
}

function allowance({ of: { namespace, name }, subject, slot: role }: Share): Decision {
  const binding =
    namespace === CLUSTER
      ? `ClusterRoleBinding ${JSON.stringify(name)}`
      : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
  const from = `${binding} of ${role.kind} ${JSON.stringify(role.name)}`;
  return { decision: 'allow', reason: `RBAC: allowed by ${from} to ${describeSubject(subject, namespace)}` };
}
