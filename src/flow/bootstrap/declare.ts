import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type {
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from '../../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import type { Subject } from '../../kinds/flowcontrol/v1beta2/subject.ts';
import type { ObjectMeta } from '../../meta/object-meta.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What priority and fairness is configured by. */
export interface FlowObjects {
  readonly levels: readonly PriorityLevelConfiguration[];
  readonly schemas: readonly FlowSchema[];
}

const apiVersion = (v: Vocabulary): string => `${v.groups.flowcontrol}/v1beta2`;

const metadata = (v: Vocabulary, name: string): ObjectMeta => ({
  name,
  creationTimestamp: null,
  annotations: { [v.annotations.flowAutoupdateSpec]: 'true' },
});

export const user = (name: string): Subject => ({ kind: 'User', user: { name } });
export const group = (name: string): Subject => ({ kind: 'Group', group: { name } });
/** An account of the system namespace; `*` for any. */
export const systemAccount = (v: Vocabulary, name: string): Subject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace: v.namespaces.system, name },
});

/** Requests about resources of one group, in any namespace. */
export const inNamespaces = (verbs: string[], apiGroup: string, ...resources: string[]): ResourcePolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources,
  namespaces: ['*'],
});

/** As `inNamespaces`, and those that are in none. */
export const anywhere = (verbs: string[], apiGroup: string, ...resources: string[]): ResourcePolicyRule => ({
  ...inNamespaces(verbs, apiGroup, ...resources),
  clusterScope: true,
});

export const paths = (verbs: string[], ...nonResourceURLs: string[]): NonResourcePolicyRule => ({
  verbs,
  nonResourceURLs,
});

/** Whatever these subjects ask for. */
export const everythingOf = (...subjects: Subject[]): PolicyRulesWithSubjects => ({
  subjects,
  resourceRules: [anywhere(['*'], '*', '*')],
  nonResourceRules: [paths(['*'], '*')],
});

export interface SchemaDeclaration {
  readonly level: string;
  readonly precedence: number;
  /** What tells flows apart; absent: all are one. */
  readonly by?: 'ByUser' | 'ByNamespace';
}

export const flowSchema = (
  v: Vocabulary,
  name: string,
  { level, precedence, by }: SchemaDeclaration,
  ...rules: PolicyRulesWithSubjects[]
): FlowSchema => ({
  apiVersion: apiVersion(v),
  kind: 'FlowSchema',
  metadata: metadata(v, name),
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by ? { distinguisherMethod: { type: by } } : {}),
    rules,
  },
  status: {},
});

const level = (v: Vocabulary, name: string, spec: PriorityLevelConfiguration['spec']): PriorityLevelConfiguration => ({
  apiVersion: apiVersion(v),
  kind: 'PriorityLevelConfiguration',
  metadata: metadata(v, name),
  spec,
  status: {},
});

export const exemptLevel = (v: Vocabulary, name: string): PriorityLevelConfiguration =>
  level(v, name, { type: 'Exempt' });

/** Without `queuing`, what finds no room is refused at once. */
export const limitedLevel = (
  v: Vocabulary,
  name: string,
  assuredConcurrencyShares: number,
  queuing?: QueuingConfiguration,
): PriorityLevelConfiguration =>
  level(v, name, {
    type: 'Limited',
    limited: {
      assuredConcurrencyShares,
      limitResponse: queuing ? { type: 'Queue', queuing } : { type: 'Reject' },
    },
  });
