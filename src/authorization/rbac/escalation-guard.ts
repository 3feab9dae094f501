import type { AdmissionPlugin } from '../../admission/chain.ts';
import { forbidden, notFound } from '../../api/errors.ts';
import { MASTERS_GROUP } from '../../api/user.ts';
import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Authorizer } from '../attributes.ts';
import { escalation } from './escalation.ts';
import type { RbacIndex } from './rbac-index.ts';

/** Stands for everything, which whoever aggregates roles without a limit must hold. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type Grant = (request: AdmissionRequest) => Promise<void>;

/**
 * No one grants what they do not have: whoever writes a role must hold its rules, whoever writes a binding those of the
 * role it refers to, even when what is written is something else. The verbs `escalate` and `bind` exempt from this.
 */
export class EscalationGuard implements AdmissionPlugin {
  readonly name = 'EscalationGuard';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly index: RbacIndex;
  private readonly authorizer: Authorizer;
  private readonly group: string;
  private readonly grants: ReadonlyMap<string, Grant>;

  constructor(index: RbacIndex, authorizer: Authorizer, group: string) {
    this.index = index;
    this.authorizer = authorizer;
    this.group = group;
    const role: Grant = (request) => this.checkRole(request);
    const binding: Grant = (request) => this.checkBinding(request);
    this.grants = new Map([
      ['roles', role],
      ['clusterroles', role],
      ['rolebindings', binding],
      ['clusterrolebindings', binding],
    ]);
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    const { type, user, object, oldObject } = request;
    if (type.group !== this.group || user.groups.includes(MASTERS_GROUP)) return;
    if (object && oldObject && grantsAlike(object, oldObject)) return;
    return this.grants.get(request.type.plural)?.(request);
  }

  private async checkRole(request: AdmissionRequest): Promise<void> {
    const role = request.object as ClusterRole;
    const old = request.oldObject as ClusterRole | undefined;
    if (await this.allows(request, 'escalate', request.type.plural, role.metadata.name ?? '')) return;
    this.demand(request, isAggregated(role) || isAggregated(old) ? EVERYTHING : (role.rules ?? []));
  }

  private async checkBinding(request: AdmissionRequest): Promise<void> {
    const { roleRef } = request.object as RoleBinding;
    const plural = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
    if (await this.allows(request, 'bind', plural, roleRef.name)) return;
    const rules = this.index.roleRules(roleRef.kind === 'Role' ? request.namespace : '', roleRef.name);
    if (!rules) throw notFound({ group: this.group, resource: plural }, roleRef.name);
    this.demand(request, rules);
  }

  private async allows(request: AdmissionRequest, verb: string, resource: string, name: string): Promise<boolean> {
    const { user, namespace, type } = request;
    const { decision } = await this.authorizer.authorize({
      user,
      verb,
      resourceRequest: true,
      group: this.group,
      version: type.version,
      resource,
      subresource: '',
      namespace,
      name,
      path: '',
    });
    return decision === 'allow';
  }

  private demand({ user, namespace, type, object }: AdmissionRequest, granted: readonly PolicyRule[]): void {
    const why = escalation(user, this.index.policyRulesFor(user, namespace), granted);
    const ref = { group: type.group, resource: type.plural };
    if (why !== undefined) throw forbidden(ref, object?.metadata.name ?? '', why);
  }
}

/**
 * Labels count, for they decide which roles are put together. Only what keeps an object or lets it go does not, so that
 * it can be deleted by those who could not have made it.
 */
const grantsAlike = (object: ApiObject, old: ApiObject): boolean => sameJson(essence(object), essence(old));

const essence = (object: ApiObject): object => ({
  ...object,
  metadata: {
    ...object.metadata,
    finalizers: undefined,
    ownerReferences: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    generation: undefined,
  },
});

const isAggregated = (role: ClusterRole | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
