import type { AdmissionPlugin } from '../../admission/plugin.ts';
import { onKind, type WriteRequest } from '../../admission/rule.ts';
import { forbidden, notFound } from '../../api/errors.ts';
import { MASTERS_GROUP } from '../../api/user.ts';
import { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { Role } from '../../kinds/rbac/role.ts';
import { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { inSteps, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Attributes, Authorizer, Decision } from '../attributes.ts';
import { AccessDenied } from '../denial.ts';
import { escalation } from './escalation.ts';
import type { RbacIndex } from './rbac-index.ts';

/** A question, and what was decided. */
interface Asked {
  readonly attributes: Attributes;
  readonly decision: Decision;
}

/** Stands for everything, which whoever aggregates roles without a limit must hold. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * No one grants what they do not have: whoever writes a role must hold its rules, whoever writes a binding those of the
 * role it refers to, even when what is written is something else. The verbs `escalate` and `bind` exempt from this.
 */
export class EscalationGuard implements AdmissionPlugin {
  readonly rules = [
    onKind(Role).validate({ write: (request) => this.#checkRole(request, request.object.rules ?? []) }),
    onKind(ClusterRole).validate({ write: (request) => this.#checkRole(request, rulesWanted(request)) }),
    onKind(RoleBinding).validate({ write: (request) => this.#checkBinding(request) }),
    onKind(ClusterRoleBinding).validate({ write: (request) => this.#checkBinding(request) }),
  ];
  readonly #index: RbacIndex;
  readonly #authorizer: Authorizer;
  readonly #group: string;
  readonly #runtime: Runtime;

  constructor(index: RbacIndex, authorizer: Authorizer, group: string, runtime: Runtime) {
    this.#runtime = runtime;
    this.#index = index;
    this.#authorizer = authorizer;
    this.#group = group;
  }

  /** `rules`: what whoever writes the role must hold. */
  #checkRole(request: WriteRequest<Role | ClusterRole>, rules: readonly PolicyRule[]): Promise<void> | void {
    if (!isExempt(request)) return this.#demandRole(request, rules);
  }

  #checkBinding(request: WriteRequest<RoleBinding | ClusterRoleBinding>): Promise<void> | void {
    if (!isExempt(request)) return this.#demandBound(request);
  }

  async #demandRole(request: WriteRequest<Role | ClusterRole>, rules: readonly PolicyRule[]): Promise<void> {
    const { type, object } = request;
    const asked = await this.#ask(request, 'escalate', type.plural, object.metadata.name ?? '');
    if (asked.decision.decision !== 'allow') await this.#demand(request, rules, asked);
  }

  async #demandBound(request: WriteRequest<RoleBinding | ClusterRoleBinding>): Promise<void> {
    const { roleRef } = request.object;
    const plural = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
    const asked = await this.#ask(request, 'bind', plural, roleRef.name);
    if (asked.decision.decision === 'allow') return;
    const rules = this.#index.roleRules(roleRef.kind === 'Role' ? request.namespace : '', roleRef.name);
    if (!rules) throw notFound({ group: this.#group, resource: plural }, roleRef.name);
    await this.#demand(request, rules, asked);
  }

  /** Whether the verb exempts whoever writes from holding what they grant. */
  async #ask(request: AdmissionRequest, verb: string, resource: string, name: string): Promise<Asked> {
    const { user, namespace, type } = request;
    const attributes = {
      user,
      verb,
      resourceRequest: true,
      group: this.#group,
      version: type.version,
      resource,
      subresource: '',
      namespace,
      name,
      path: '',
    };
    return { attributes, decision: await this.#authorizer.authorize(attributes) };
  }

  async #demand(
    { user, namespace, type, object }: AdmissionRequest,
    granted: readonly PolicyRule[],
    { attributes, decision }: Asked,
  ): Promise<void> {
    const held = this.#index.policyRulesFor(user, namespace);
    const why = await inSteps(escalation(user, held, granted), restEveryTurn(this.#runtime));
    if (why === undefined) return;
    const refusal = forbidden({ group: type.group, resource: type.plural }, object?.metadata.name ?? '', why);
    throw new AccessDenied(refusal, attributes, decision);
  }
}

const isExempt = ({ user, object, oldObject }: WriteRequest<ApiObject>): boolean =>
  user.groups.includes(MASTERS_GROUP) || (oldObject !== undefined && grantsAlike(object, oldObject));

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

const rulesWanted = ({ object, oldObject }: WriteRequest<ClusterRole>): readonly PolicyRule[] =>
  isAggregated(object) || isAggregated(oldObject) ? EVERYTHING : (object.rules ?? []);

const isAggregated = (role: ClusterRole | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
