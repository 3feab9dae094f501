import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ANY, CORE, clusterRole, FOLLOW, READ, reportEvents, rule } from './declare.ts';

/** The processes around the server: control loops, scheduler, nodes, proxies, add-ons. */
export const componentRoles = (v: Vocabulary): ClusterRole[] => [
  clusterRole(v, v.systemNames.controllerManager, controllerManager(v)),
  clusterRole(v, v.systemNames.scheduler, scheduler(v)),
  clusterRole(v, 'system:volume-scheduler', [
    rule(`${READ} patch update`, CORE, 'persistentvolumes'),
    rule(READ, v.groups.storage, 'storageclasses'),
    rule(`${READ} patch update`, CORE, 'persistentvolumeclaims'),
  ]),
  ...nodeRoles(v),
  clusterRole(v, 'system:auth-delegator', reviewOthers(v)),
  clusterRole(v, v.systemNames.aggregator, [rule(READ, CORE, 'endpoints services')]),
  clusterRole(v, v.systemNames.dns, [rule(FOLLOW, CORE, 'endpoints services')]),
  clusterRole(v, 'system:heapster', [
    rule(READ, CORE, 'events namespaces nodes pods'),
    rule(READ, 'extensions', 'deployments'),
  ]),
  clusterRole(v, 'system:persistent-volume-provisioner', [
    rule(`${READ} create delete`, CORE, 'persistentvolumes'),
    rule(`${READ} update`, CORE, 'persistentvolumeclaims'),
    rule(READ, v.groups.storage, 'storageclasses'),
    rule('watch', CORE, 'events'),
    reportEvents(v),
  ]),
];

/** Finding out who sent a token and what that user may do. */
const reviewOthers = (v: Vocabulary): PolicyRule[] => [
  rule('create', v.groups.authentication, 'tokenreviews'),
  rule('create', v.groups.authorization, 'subjectaccessreviews'),
];

/** Taking turns between copies of the process `name`, by lease or the older way by endpoints. */
const leadership = (v: Vocabulary, name: string): PolicyRule[] => [
  rule('create', v.groups.coordination, 'leases'),
  rule('get update', v.groups.coordination, 'leases', [name]),
  rule('create', CORE, 'endpoints'),
  rule('get update', CORE, 'endpoints', [name]),
];

/** Only what the loops share: each acts under an account of its own, for which tokens are made here. */
const controllerManager = (v: Vocabulary): PolicyRule[] => [
  reportEvents(v),
  ...leadership(v, v.components.controllerManager),
  rule('create', CORE, 'secrets serviceaccounts'),
  rule('delete', CORE, 'secrets'),
  rule('get', CORE, 'configmaps namespaces secrets serviceaccounts'),
  rule('update', CORE, 'secrets serviceaccounts'),
  ...reviewOthers(v),
  rule(FOLLOW, ANY, ANY),
  rule('create', CORE, 'serviceaccounts/token'),
];

const scheduler = (v: Vocabulary): PolicyRule[] => [
  reportEvents(v),
  ...leadership(v, v.components.scheduler),
  rule(READ, CORE, 'nodes'),
  rule(`${READ} delete`, CORE, 'pods'),
  rule('create', CORE, 'bindings pods/binding'),
  rule('patch update', CORE, 'pods/status'),
  rule(READ, CORE, 'replicationcontrollers services'),
  rule(READ, ['apps', 'extensions'], 'replicasets'),
  rule(READ, 'apps', 'statefulsets'),
  rule(READ, 'policy', 'poddisruptionbudgets'),
  rule(READ, CORE, 'persistentvolumeclaims persistentvolumes'),
  ...reviewOthers(v),
  rule(READ, v.groups.storage, 'csinodes'),
  rule(READ, CORE, 'namespaces'),
  rule(READ, v.groups.storage, 'csidrivers'),
  rule(READ, v.groups.storage, 'csistoragecapacities'),
];

const nodeRoles = (v: Vocabulary): ClusterRole[] => [
  clusterRole(v, 'system:node', nodeRules(v)),
  clusterRole(v, 'system:node-bootstrapper', [
    rule(`${READ} create`, v.groups.certificates, 'certificatesigningrequests'),
  ]),
  clusterRole(v, 'system:node-problem-detector', [
    rule('get', CORE, 'nodes'),
    rule('patch', CORE, 'nodes/status'),
    reportEvents(v),
  ]),
  clusterRole(v, 'system:node-proxier', [
    rule(FOLLOW, CORE, 'endpoints services'),
    rule(READ, CORE, 'nodes'),
    reportEvents(v),
    rule(FOLLOW, v.groups.discovery, 'endpointslices'),
  ]),
  clusterRole(v, v.systemNames.nodeApiAdmin, [
    rule(READ, CORE, 'nodes'),
    rule('proxy', CORE, 'nodes'),
    rule(ANY, CORE, 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats'),
  ]),
];

/** What nodes do. The role is bound to nobody: the Node mode gives these rights, of some kinds for a node's own only. */
export const nodeRules = (v: Vocabulary): PolicyRule[] => [
  rule('create', v.groups.authentication, 'tokenreviews'),
  rule('create', v.groups.authorization, 'localsubjectaccessreviews subjectaccessreviews'),
  rule(READ, CORE, 'services'),
  rule(`${READ} create`, CORE, 'nodes'),
  rule('patch update', CORE, 'nodes/status'),
  rule('patch update', CORE, 'nodes'),
  rule('create patch update', CORE, 'events'),
  rule(READ, CORE, 'pods'),
  rule('create delete', CORE, 'pods'),
  rule('patch update', CORE, 'pods/status'),
  rule('create', CORE, 'pods/eviction'),
  rule(READ, CORE, 'configmaps secrets'),
  rule('get', CORE, 'persistentvolumeclaims persistentvolumes'),
  rule('get', CORE, 'endpoints'),
  rule(`${READ} create`, v.groups.certificates, 'certificatesigningrequests'),
  rule('create delete get patch update', v.groups.coordination, 'leases'),
  rule('get', v.groups.storage, 'volumeattachments'),
  rule('create', CORE, 'serviceaccounts/token'),
  rule('get patch update', CORE, 'persistentvolumeclaims/status'),
  rule(READ, v.groups.storage, 'csidrivers'),
  rule('create delete get patch update', v.groups.storage, 'csinodes'),
  rule(READ, v.groups.node, 'runtimeclasses'),
];
