import { Condition } from '../../../meta/condition.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import { bool, int32, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { Subject } from './subject.ts';

export const ResourcePolicyRule = struct(
  'flowcontrol.v1beta2.ResourcePolicyRule',
  {
    verbs: f(1, list(string()).required().set(), 'Verbs such as get or list; * alone for all.'),
    apiGroups: f(
      2,
      list(string()).required().set(),
      'API groups; the empty string for the core group, * alone for all.',
    ),
    resources: f(
      3,
      list(string()).required().set(),
      'Plural names in lower case, name/subresource for subresources, * alone for all.',
    ),
    clusterScope: f(
      4,
      bool(),
      'Whether requests that name no namespace match: for cluster-wide objects, or across all namespaces. Default false.',
    ),
    namespaces: f(
      5,
      list(string()).always().set(),
      'Namespaces that match; * alone for all. May be empty only when clusterScope is true.',
    ),
  },
  { description: 'Requests for resources; a request must match one of each list, and the namespaces or clusterScope.' },
);
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct(
  'flowcontrol.v1beta2.NonResourcePolicyRule',
  {
    verbs: f(1, list(string()).required().set(), 'HTTP methods in lower case; * alone for all.'),
    nonResourceURLs: f(
      6,
      list(string()).required().set(),
      'URL paths such as /healthz; /healthz/* matches what is below it, * alone matches all.',
    ),
  },
  { description: 'Requests for paths that belong to no resource; a request must match one of each list.' },
);
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct(
  'flowcontrol.v1beta2.PolicyRulesWithSubjects',
  {
    subjects: f(1, list(Subject).required().atomicList(), 'Who makes the request; at least one.'),
    resourceRules: f(
      2,
      list(ResourcePolicyRule).atomicList(),
      'Requests for resources. At least one rule of either sort is required.',
    ),
    nonResourceRules: f(
      3,
      list(NonResourcePolicyRule).atomicList(),
      'Requests for other paths. At least one rule of either sort is required.',
    ),
  },
  {
    description:
      'Users together with requests; a request matches when one of the subjects makes it and one of the rules describes it.',
  },
);
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const PriorityLevelConfigurationReference = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationReference',
  {
    name: f(
      1,
      string().required(),
      'Name of the PriorityLevelConfiguration; if it does not exist, the schema is ignored.',
    ),
  },
  { description: 'The priority level that requests go to.' },
);
export type PriorityLevelConfigurationReference = Infer<typeof PriorityLevelConfigurationReference>;

export const FlowDistinguisherMethod = struct(
  'flowcontrol.v1beta2.FlowDistinguisherMethod',
  {
    type: f(1, string().required(), 'ByUser makes a flow of each user, ByNamespace of each namespace.'),
  },
  { description: 'How requests of one schema are divided into flows, which share the priority level fairly.' },
);
export type FlowDistinguisherMethod = Infer<typeof FlowDistinguisherMethod>;

export const FlowSchemaSpec = struct(
  'flowcontrol.v1beta2.FlowSchemaSpec',
  {
    priorityLevelConfiguration: f(
      1,
      PriorityLevelConfigurationReference.required(),
      'The priority level that matching requests go to.',
    ),
    matchingPrecedence: f(
      2,
      int32().always().default(1000),
      'From 1 to 10000; when several schemas match a request, the one with the lowest number counts. Default 1000.',
    ),
    distinguisherMethod: f(
      3,
      FlowDistinguisherMethod.optional(),
      'How matching requests are divided into flows. Unset: all of them are one flow.',
    ),
    rules: f(4, list(PolicyRulesWithSubjects).atomicList(), 'Which requests match: those of any rule. Empty: none.'),
  },
  { description: 'Desired state of a FlowSchema: which requests it matches, and the priority level they go to.' },
);
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

export const FlowSchemaCondition = struct(
  'flowcontrol.v1beta2.FlowSchemaCondition',
  describedLike(Condition, {
    type: f(1, string(), 'Dangling: whether the priority level that the schema refers to is missing.'),
    status: f(2, string()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a FlowSchema.' },
);
export type FlowSchemaCondition = Infer<typeof FlowSchemaCondition>;

export const FlowSchemaStatus = struct(
  'flowcontrol.v1beta2.FlowSchemaStatus',
  {
    conditions: f(
      1,
      list(FlowSchemaCondition).mapBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of a FlowSchema.' },
);
export type FlowSchemaStatus = Infer<typeof FlowSchemaStatus>;

export const FlowSchema = kind(
  'flowcontrol.v1beta2.FlowSchema',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, FlowSchemaSpec),
    status: f(3, FlowSchemaStatus),
  },
  {
    description:
      'Sorts incoming requests into flows and assigns them to a priority level, so that one client cannot crowd out the others.',
  },
);
export type FlowSchema = Infer<typeof FlowSchema>;
