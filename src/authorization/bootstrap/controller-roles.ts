import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { CORE, FOLLOW, READ, reportEvents, rule } from './declare.ts';

/** What one control loop may do. It runs under the service account of the same name, and reports events unless silent. */
export interface ControllerRights {
  readonly name: string;
  readonly rules: PolicyRule[];
}

const APPS = ['apps', 'extensions'];

/** Each loop holds what its work needs, so that a defect in one cannot reach further. */
export const controllerRights = (v: Vocabulary): ControllerRights[] => [
  ...workloadControllers(v),
  ...storageControllers(v),
  ...networkControllers(v),
  ...nodeControllers(v),
  ...housekeepingControllers(v),
];

const reporting = (v: Vocabulary, name: string, ...rules: PolicyRule[]): ControllerRights => ({
  name,
  rules: [...rules, reportEvents(v)],
});

const silent = (name: string, ...rules: PolicyRule[]): ControllerRights => ({ name, rules });

const workloadControllers = (v: Vocabulary): ControllerRights[] => [
  reporting(
    v,
    'cronjob-controller',
    rule(`${READ} update`, 'batch', 'cronjobs'),
    rule(`${READ} create delete patch update`, 'batch', 'jobs'),
    rule('update', 'batch', 'cronjobs/status'),
    rule('update', 'batch', 'cronjobs/finalizers'),
    rule('delete list', CORE, 'pods'),
  ),
  reporting(
    v,
    'daemon-set-controller',
    rule(READ, APPS, 'daemonsets'),
    rule('update', APPS, 'daemonsets/status'),
    rule('update', APPS, 'daemonsets/finalizers'),
    rule(FOLLOW, CORE, 'nodes'),
    rule(`${FOLLOW} create delete patch`, CORE, 'pods'),
    rule('create', CORE, 'pods/binding'),
    rule(`${READ} create delete patch update`, 'apps', 'controllerrevisions'),
  ),
  reporting(
    v,
    'deployment-controller',
    rule(`${READ} update`, APPS, 'deployments'),
    rule('update', APPS, 'deployments/status'),
    rule('update', APPS, 'deployments/finalizers'),
    rule(`${READ} create delete patch update`, APPS, 'replicasets'),
    rule(`${READ} update`, CORE, 'pods'),
  ),
  reporting(
    v,
    'disruption-controller',
    rule(READ, APPS, 'deployments'),
    rule(READ, APPS, 'replicasets'),
    rule(READ, CORE, 'replicationcontrollers'),
    rule(READ, 'policy', 'poddisruptionbudgets'),
    rule(READ, 'apps', 'statefulsets'),
    rule('update', 'policy', 'poddisruptionbudgets/status'),
    rule('get', '*', '*/scale'),
  ),
  reporting(
    v,
    'horizontal-pod-autoscaler',
    rule(READ, 'autoscaling', 'horizontalpodautoscalers'),
    rule('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    rule('get update', '*', '*/scale'),
    rule('list', CORE, 'pods'),
    rule('get', CORE, 'services/proxy', ['http:heapster:', 'https:heapster:']),
    rule('list', v.groups.metrics, 'pods'),
    rule('get list', v.groups.customMetrics, '*'),
    rule('get list', v.groups.externalMetrics, '*'),
  ),
  reporting(
    v,
    'job-controller',
    rule(`${READ} patch update`, 'batch', 'jobs'),
    rule('update', 'batch', 'jobs/status'),
    rule('update', 'batch', 'jobs/finalizers'),
    rule(`${FOLLOW} create delete patch`, CORE, 'pods'),
  ),
  reporting(
    v,
    'replicaset-controller',
    rule(`${READ} update`, APPS, 'replicasets'),
    rule('update', APPS, 'replicasets/status'),
    rule('update', APPS, 'replicasets/finalizers'),
    rule(`${FOLLOW} create delete patch`, CORE, 'pods'),
  ),
  reporting(
    v,
    'replication-controller',
    rule(`${READ} update`, CORE, 'replicationcontrollers'),
    rule('update', CORE, 'replicationcontrollers/status'),
    rule('update', CORE, 'replicationcontrollers/finalizers'),
    rule(`${FOLLOW} create delete patch`, CORE, 'pods'),
  ),
  reporting(
    v,
    'statefulset-controller',
    rule(FOLLOW, CORE, 'pods'),
    rule(READ, 'apps', 'statefulsets'),
    rule('update', 'apps', 'statefulsets/status'),
    rule('update', 'apps', 'statefulsets/finalizers'),
    rule('create delete get patch update', CORE, 'pods'),
    rule(`${READ} create delete patch update`, 'apps', 'controllerrevisions'),
    rule('create get', CORE, 'persistentvolumeclaims'),
  ),
];

const storageControllers = (v: Vocabulary): ControllerRights[] => [
  reporting(
    v,
    'attachdetach-controller',
    rule(FOLLOW, CORE, 'persistentvolumeclaims persistentvolumes'),
    rule(READ, CORE, 'nodes'),
    rule('patch update', CORE, 'nodes/status'),
    rule(FOLLOW, CORE, 'pods'),
    rule(`${READ} create delete`, v.groups.storage, 'volumeattachments'),
    rule(READ, v.groups.storage, 'csidrivers'),
    rule(READ, v.groups.storage, 'csinodes'),
  ),
  reporting(
    v,
    'ephemeral-volume-controller',
    rule(READ, CORE, 'pods'),
    rule('update', CORE, 'pods/finalizers'),
    rule(`${READ} create`, CORE, 'persistentvolumeclaims'),
  ),
  reporting(
    v,
    'expand-controller',
    rule(`${READ} patch update`, CORE, 'persistentvolumes'),
    rule('patch update', CORE, 'persistentvolumeclaims/status'),
    rule(READ, CORE, 'persistentvolumeclaims'),
    rule(READ, v.groups.storage, 'storageclasses'),
    rule('get', CORE, 'endpoints services'),
    rule('get', CORE, 'secrets'),
  ),
  reporting(
    v,
    'persistent-volume-binder',
    rule(`${READ} create delete update`, CORE, 'persistentvolumes'),
    rule('update', CORE, 'persistentvolumes/status'),
    rule(`${READ} update`, CORE, 'persistentvolumeclaims'),
    rule('update', CORE, 'persistentvolumeclaims/status'),
    rule(`${READ} create delete`, CORE, 'pods'),
    rule(READ, v.groups.storage, 'storageclasses'),
    rule('create delete get update', CORE, 'endpoints'),
    rule('create delete get', CORE, 'services'),
    rule('get', CORE, 'secrets'),
    rule('get list', CORE, 'nodes'),
    rule('watch', CORE, 'events'),
  ),
  reporting(v, 'pv-protection-controller', rule(`${READ} update`, CORE, 'persistentvolumes')),
  reporting(
    v,
    'pvc-protection-controller',
    rule(`${READ} update`, CORE, 'persistentvolumeclaims'),
    rule(READ, CORE, 'pods'),
  ),
];

const networkControllers = (v: Vocabulary): ControllerRights[] => [
  reporting(
    v,
    'endpoint-controller',
    rule(READ, CORE, 'pods services'),
    rule('create delete get list update', CORE, 'endpoints'),
    rule('create', CORE, 'endpoints/restricted'),
  ),
  reporting(
    v,
    'endpointslice-controller',
    rule(READ, CORE, 'nodes pods services'),
    rule('update', CORE, 'services/finalizers'),
    rule('create delete get list update', v.groups.discovery, 'endpointslices'),
  ),
  reporting(
    v,
    'endpointslicemirroring-controller',
    rule(READ, CORE, 'endpoints services'),
    rule('update', CORE, 'services/finalizers'),
    rule('update', CORE, 'endpoints/finalizers'),
    rule('create delete get list update', v.groups.discovery, 'endpointslices'),
  ),
  reporting(v, 'route-controller', rule(FOLLOW, CORE, 'nodes'), rule('patch', CORE, 'nodes/status')),
  reporting(
    v,
    'service-controller',
    rule(READ, CORE, 'services'),
    rule('patch update', CORE, 'services/status'),
    rule(FOLLOW, CORE, 'nodes'),
  ),
];

const nodeControllers = (v: Vocabulary): ControllerRights[] => [
  reporting(
    v,
    'node-controller',
    rule('delete get list patch update', CORE, 'nodes'),
    rule('patch update', CORE, 'nodes/status'),
    rule('update', CORE, 'pods/status'),
    rule('delete list', CORE, 'pods'),
    rule('create get list update', v.groups.networking, 'clustercidrs'),
  ),
  silent('pod-garbage-collector', rule(`${FOLLOW} delete`, CORE, 'pods'), rule('get list', CORE, 'nodes')),
  reporting(v, 'ttl-controller', rule(`${FOLLOW} patch update`, CORE, 'nodes')),
];

const housekeepingControllers = (v: Vocabulary): ControllerRights[] => [
  reporting(
    v,
    'certificate-controller',
    rule(`${READ} delete`, v.groups.certificates, 'certificatesigningrequests'),
    rule('update', v.groups.certificates, 'certificatesigningrequests/approval certificatesigningrequests/status'),
    rule('approve', v.groups.certificates, 'signers', [v.signers.apiserverClientNode]),
    rule('sign', v.groups.certificates, 'signers', [
      v.signers.apiserverClient,
      v.signers.apiserverClientNode,
      v.signers.nodeServing,
      v.signers.legacyUnknown,
    ]),
    rule('create', v.groups.authorization, 'subjectaccessreviews'),
  ),
  silent('clusterrole-aggregation-controller', rule(`${READ} escalate patch update`, v.groups.rbac, 'clusterroles')),
  reporting(v, 'generic-garbage-collector', rule(`${READ} delete patch update`, '*', '*')),
  silent(
    'namespace-controller',
    rule(`${READ} delete`, CORE, 'namespaces'),
    rule('update', CORE, 'namespaces/finalize namespaces/status'),
    rule('delete deletecollection get list', '*', '*'),
  ),
  reporting(v, 'resourcequota-controller', rule(FOLLOW, '*', '*'), rule('update', CORE, 'resourcequotas/status')),
  reporting(v, 'root-ca-cert-publisher', rule('create update', CORE, 'configmaps')),
  reporting(v, 'service-account-controller', rule('create', CORE, 'serviceaccounts')),
  reporting(v, 'ttl-after-finished-controller', rule(`${READ} delete`, 'batch', 'jobs')),
];
