import type { UserInfo } from '../../api/user.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { RoleRef, Subject } from '../../kinds/rbac/subject.ts';
import { ABSTAIN } from '../always.ts';
import { type Attributes, type Authorizer, combinedResource, type Decision, type RuleSummary } from '../attributes.ts';
import { CompiledRole } from './compiled-role.ts';
import { describeSubject, type Holder, holderOf } from './holder.ts';
import { type Grant, type RoleSlot, Scope } from './scope.ts';

/** A stored binding, as far as it must be found again when it changes or goes. */
interface Binding {
  readonly slotKey: string;
  readonly entries: readonly { readonly holder: Holder; readonly grant: Grant }[];
}

const CLUSTER = '';

/** Namespaces contain no slash, so the parts cannot run into each other. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/**
 * Role-based access control over grants kept by subject: a decision looks only at what the user and each of the user's
 * groups hold cluster-wide, then in the namespace of the request. Where a method takes a namespace, '' means the
 * cluster-wide kind.
 */
export class RbacIndex implements Authorizer {
  readonly #apiGroup: string;
  readonly #slots = new Map<string, RoleSlot>();
  readonly #bindings = new Map<string, Binding>();
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
    const entries = subjects.flatMap((subject) => {
      const holder = holderOf(subject, namespace);
      if (!holder) return [];
      return { holder, grant: { slot, allow: allowance(namespace, name, subject, slot) } };
    });
    const scope = this.#scopeOf(namespace);
    for (const { holder, grant } of entries) scope.add(holder, grant);
    this.#bindings.set(keyOf(namespace, name), { slotKey: keyOf(roleNamespace, roleRef.name), entries });
  }

  removeBinding(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const binding = this.#bindings.get(key);
    if (!binding) return;
    this.#bindings.delete(key);
    const scope = this.#scopeOf(namespace);
    for (const { holder, grant } of binding.entries) scope.remove(holder, grant);
    if (scope.isEmpty) this.#scopes.delete(namespace);
    const slot = this.#slots.get(binding.slotKey);
    if (!slot) return;
    slot.bindings--;
    this.#dropIfUnused(binding.slotKey, slot);
  }

  authorize(attributes: Attributes): Decision {
    const { user, resourceRequest } = attributes;
    const namespace = resourceRequest ? attributes.namespace : CLUSTER;
    const resource = combinedResource(attributes);
    const grant =
      this.#scopes.get(CLUSTER)?.firstAllowing(attributes, resource) ??
      (namespace === CLUSTER ? undefined : this.#scopes.get(namespace)?.firstAllowing(attributes, resource));
    if (grant) return grant.allow;
    const missing = this.#missingRoles(user, namespace);
    return missing === '' ? ABSTAIN : { decision: 'abstain', reason: `RBAC: ${missing}` };
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
    return this.#grantsOf(user, namespace).flatMap(({ slot }) => sourcesOf(slot) ?? []);
  }

  /** The rules of a stored role; undefined when there is none. */
  roleRules(namespace: string, name: string): PolicyRule[] | undefined {
    return sourcesOf(this.#slots.get(keyOf(namespace, name)));
  }

  #grantsOf(user: UserInfo, namespace: string): Grant[] {
    const everywhere = this.#scopes.get(CLUSTER)?.heldBy(user) ?? [];
    return namespace === CLUSTER ? everywhere : everywhere.concat(this.#scopes.get(namespace)?.heldBy(user) ?? []);
  }

  /** What to say about roles that the user was granted and that are not there; '' when there are none. */
  #missingRoles(user: UserInfo, namespace: string): string {
    const missing = new Set<string>();
    for (const { slot } of this.#grantsOf(user, namespace)) {
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
    const slot: RoleSlot = { kind, name, role: undefined, bindings: 0 };
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

function allowance(namespace: string, name: string, subject: Subject, role: RoleSlot): Decision {
  const binding =
    namespace === CLUSTER
      ? `ClusterRoleBinding ${JSON.stringify(name)}`
      : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
  const from = `${binding} of ${role.kind} ${JSON.stringify(role.name)}`;
  return { decision: 'allow', reason: `RBAC: allowed by ${from} to ${describeSubject(subject, namespace)}` };
}
