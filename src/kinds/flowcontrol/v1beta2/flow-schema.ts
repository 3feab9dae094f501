import { bool, int32, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { Subject } from './subject.ts';

export const ResourcePolicyRule = struct('flowcontrol.v1beta2.ResourcePolicyRule', {
  verbs: f(1, list(string()).required().set()),
  apiGroups: f(2, list(string()).required().set()),
  resources: f(3, list(string()).required().set()),
  clusterScope: f(4, bool()),
  namespaces: f(5, list(string()).always().set()),
});
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct('flowcontrol.v1beta2.NonResourcePolicyRule', {
  verbs: f(1, list(string()).required().set()),
  nonResourceURLs: f(6, list(string()).required().set()),
});
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct('flowcontrol.v1beta2.PolicyRulesWithSubjects', {
  subjects: f(1, list(Subject).required().atomicList()),
  resourceRules: f(2, list(ResourcePolicyRule).atomicList()),
  nonResourceRules: f(3, list(NonResourcePolicyRule).atomicList()),
});
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const PriorityLevelConfigurationReference = struct('flowcontrol.v1beta2.PriorityLevelConfigurationReference', {
  name: f(1, string().required()),
});
export type PriorityLevelConfigurationReference = Infer<typeof PriorityLevelConfigurationReference>;

export const FlowDistinguisherMethod = struct('flowcontrol.v1beta2.FlowDistinguisherMethod', {
  type: f(1, string().required()),
});
export type FlowDistinguisherMethod = Infer<typeof FlowDistinguisherMethod>;

export const FlowSchemaSpec = struct('flowcontrol.v1beta2.FlowSchemaSpec', {
  priorityLevelConfiguration: f(1, PriorityLevelConfigurationReference.required()),
  matchingPrecedence: f(2, int32().always().default(1000)),
  distinguisherMethod: f(3, FlowDistinguisherMethod.optional()),
  rules: f(4, list(PolicyRulesWithSubjects).atomicList()),
});
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

export const FlowSchemaCondition = struct('flowcontrol.v1beta2.FlowSchemaCondition', {
  type: f(1, string()),
  status: f(2, string()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type FlowSchemaCondition = Infer<typeof FlowSchemaCondition>;

export const FlowSchemaStatus = struct('flowcontrol.v1beta2.FlowSchemaStatus', {
  conditions: f(1, list(FlowSchemaCondition).mapBy('type')),
});
export type FlowSchemaStatus = Infer<typeof FlowSchemaStatus>;

export const FlowSchema = kind(
  'flowcontrol.v1beta2.FlowSchema',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, FlowSchemaSpec),
    status: f(3, FlowSchemaStatus),
  },
  { description: 'Sorts requests into flows, and flows into priority levels.' },
);
export type FlowSchema = Infer<typeof FlowSchema>;
