import type { FlowSchema as DeclaredFlowSchemaV1beta1 } from '../../../kinds/flowcontrol/v1beta1/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfigurationV1beta1 } from '../../../kinds/flowcontrol/v1beta1/priority-level-configuration.ts';
import type { FlowSchema as DeclaredFlowSchema } from '../../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfiguration } from '../../../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1beta2 = inGroup(groups.flowcontrol, 'v1beta2');

export type FlowSchema = DeclaredFlowSchema;
export const FlowSchema = v1beta2.clusterWide<FlowSchema>('FlowSchema', 'flowschemas');

export type PriorityLevelConfiguration = DeclaredPriorityLevelConfiguration;
export const PriorityLevelConfiguration = v1beta2.clusterWide<PriorityLevelConfiguration>(
  'PriorityLevelConfiguration',
  'prioritylevelconfigurations',
);

const v1beta1 = inGroup(groups.flowcontrol, 'v1beta1');

export type FlowSchemaV1beta1 = DeclaredFlowSchemaV1beta1;
export const FlowSchemaV1beta1 = v1beta1.clusterWide<FlowSchemaV1beta1>('FlowSchema', 'flowschemas');

export type PriorityLevelConfigurationV1beta1 = DeclaredPriorityLevelConfigurationV1beta1;
export const PriorityLevelConfigurationV1beta1 = v1beta1.clusterWide<PriorityLevelConfigurationV1beta1>(
  'PriorityLevelConfiguration',
  'prioritylevelconfigurations',
);
