import { AUTHENTICATED_GROUP, NODES_GROUP, SERVICE_ACCOUNTS_GROUP, UNAUTHENTICATED_GROUP } from '../../api/user.ts';
import type { FlowSchema } from '../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import {
  anywhere,
  everythingOf,
  type FlowObjects,
  flowSchema,
  group,
  inNamespaces,
  limitedLevel,
  paths,
  systemAccount,
  user,
} from './declare.ts';
import { EXEMPT } from './mandatory.ts';

const CORE = '';
const ANY = ['*'];
const LOCK_VERBS = ['get', 'create', 'update'];
const MANY_QUEUES = { queues: 128, handSize: 6, queueLengthLimit: 50 };
const SOME_QUEUES = { queues: 64, handSize: 6, queueLengthLimit: 50 };
const FEW_QUEUES = { queues: 16, handSize: 4, queueLengthLimit: 50 };

/** A division of the server that suits most. Operators may change it. */
export const suggestedObjects = (v: Vocabulary): FlowObjects => ({
  levels: [
    limitedLevel(v, 'global-default', 20, MANY_QUEUES),
    limitedLevel(v, 'leader-election', 10, FEW_QUEUES),
    limitedLevel(v, 'node-high', 40, SOME_QUEUES),
    limitedLevel(v, 'system', 30, SOME_QUEUES),
    limitedLevel(v, 'workload-high', 40, MANY_QUEUES),
    limitedLevel(v, 'workload-low', 100, MANY_QUEUES),
  ],
  schemas: [...electionSchemas(v), ...nodeSchemas(v), ...workloadSchemas(v), ...generalSchemas(v)],
});

/** Who leads must not be lost in a crowd. */
function electionSchemas(v: Vocabulary): FlowSchema[] {
  const level = 'leader-election';
  const leases = inNamespaces(LOCK_VERBS, v.groups.coordination, 'leases');
  const accounts = systemAccount(v, '*');
  const { controllerManager, scheduler } = v.systemNames;
  return [
    flowSchema(
      v,
      'system-leader-election',
      { level, precedence: 100, by: 'ByUser' },
      { subjects: [user(controllerManager), user(scheduler), accounts], resourceRules: [leases] },
    ),
    flowSchema(
      v,
      'workload-leader-election',
      { level, precedence: 200, by: 'ByUser' },
      { subjects: [accounts], resourceRules: [inNamespaces(LOCK_VERBS, CORE, 'endpoints', 'configmaps'), leases] },
    ),
  ];
}

function nodeSchemas(v: Vocabulary): FlowSchema[] {
  const subjects = [group(NODES_GROUP)];
  return [
    flowSchema(
      v,
      'system-node-high',
      { level: 'node-high', precedence: 400, by: 'ByUser' },
      {
        subjects,
        resourceRules: [
          anywhere(ANY, CORE, 'nodes', 'nodes/status'),
          inNamespaces(ANY, v.groups.coordination, 'leases'),
        ],
      },
    ),
    flowSchema(v, 'system-nodes', { level: 'system', precedence: 500, by: 'ByUser' }, everythingOf(...subjects)),
  ];
}

function workloadSchemas(v: Vocabulary): FlowSchema[] {
  const level = 'workload-high';
  const { controllerManager, scheduler } = v.systemNames;
  const endpointWriters = [
    user(controllerManager),
    systemAccount(v, 'endpoint-controller'),
    systemAccount(v, 'endpointslicemirroring-controller'),
  ];
  const component = (name: string, systemName: string): FlowSchema =>
    flowSchema(v, name, { level, precedence: 800, by: 'ByNamespace' }, everythingOf(user(systemName)));
  return [
    flowSchema(
      v,
      'endpoint-controller',
      { level, precedence: 150, by: 'ByUser' },
      { subjects: endpointWriters, resourceRules: [inNamespaces(LOCK_VERBS, CORE, 'endpoints')] },
    ),
    component(v.components.controllerManager, controllerManager),
    component(v.components.scheduler, scheduler),
    flowSchema(
      v,
      v.wellKnown.systemServiceAccountsFlowSchema,
      { level, precedence: 900, by: 'ByNamespace' },
      everythingOf(systemAccount(v, '*')),
    ),
  ];
}

function generalSchemas(v: Vocabulary): FlowSchema[] {
  const everyone = [group(UNAUTHENTICATED_GROUP), group(AUTHENTICATED_GROUP)];
  return [
    flowSchema(
      v,
      'probes',
      { level: EXEMPT, precedence: 2 },
      { subjects: everyone, nonResourceRules: [paths(['get'], '/healthz', '/readyz', '/livez')] },
    ),
    flowSchema(
      v,
      'service-accounts',
      { level: 'workload-low', precedence: 9000, by: 'ByUser' },
      everythingOf(group(SERVICE_ACCOUNTS_GROUP)),
    ),
    flowSchema(
      v,
      'global-default',
      { level: 'global-default', precedence: 9900, by: 'ByUser' },
      everythingOf(...everyone),
    ),
  ];
}
