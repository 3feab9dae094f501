import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ANY, aggregatedRole, CORE, clusterRole, pathRule, READ, rule, WRITE } from './declare.ts';

/**
 * The roles given to people. `admin` takes in `edit`, and `edit` takes in `view`; each is open to additions by label.
 * What they hold from the start is in the roles `system:aggregate-to-…`.
 */
export function userFacingRoles(v: Vocabulary): ClusterRole[] {
  const { aggregateToAdmin, aggregateToEdit, aggregateToView } = v.labels;
  const adding = (label: string): Record<string, string> => ({ [label]: 'true' });
  return [
    clusterRole(v, 'cluster-admin', [rule(ANY, ANY, ANY), pathRule(ANY, ANY)]),
    aggregatedRole(v, 'admin', aggregateToAdmin),
    aggregatedRole(v, 'edit', aggregateToEdit, adding(aggregateToAdmin)),
    aggregatedRole(v, 'view', aggregateToView, adding(aggregateToEdit)),
    clusterRole(v, 'system:aggregate-to-admin', administering(v), adding(aggregateToAdmin)),
    clusterRole(v, 'system:aggregate-to-edit', editing(v), adding(aggregateToEdit)),
    clusterRole(v, 'system:aggregate-to-view', viewing(v), adding(aggregateToView)),
  ];
}

const administering = (v: Vocabulary): PolicyRule[] => [
  rule('create', v.groups.authorization, 'localsubjectaccessreviews'),
  rule(`${READ} ${WRITE}`, v.groups.rbac, 'roles rolebindings'),
];

// Secrets are here and not in `view`: whoever reads them can act as any service account of the namespace.
const editing = (v: Vocabulary): PolicyRule[] => [
  rule(READ, CORE, 'pods/attach pods/proxy pods/exec pods/portforward secrets services/proxy'),
  rule('impersonate', CORE, 'serviceaccounts'),
  rule(WRITE, CORE, 'pods pods/attach pods/proxy pods/exec pods/portforward'),
  rule('create', CORE, 'pods/eviction'),
  rule(
    WRITE,
    CORE,
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  rule('create', CORE, 'serviceaccounts/token'),
  rule(
    WRITE,
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  rule(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
  rule(WRITE, 'batch', 'cronjobs jobs'),
  rule(
    WRITE,
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  rule(WRITE, 'policy', 'poddisruptionbudgets'),
  rule(WRITE, v.groups.networking, 'ingresses networkpolicies'),
  rule(`${READ} ${WRITE}`, v.groups.coordination, 'leases'),
];

const viewing = (v: Vocabulary): PolicyRule[] => [
  rule(
    READ,
    CORE,
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  rule(
    READ,
    CORE,
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  rule(READ, CORE, 'namespaces'),
  rule(READ, v.groups.discovery, 'endpointslices'),
  rule(
    READ,
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  rule(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  rule(
    READ,
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  rule(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(READ, v.groups.networking, 'ingresses ingresses/status networkpolicies'),
];
