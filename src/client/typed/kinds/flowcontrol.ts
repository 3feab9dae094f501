import type { FlowSchema as DeclaredFlowSchemaV1beta1 } from '../../../kinds/flowcontrol/v1beta1/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfigurationV1beta1 } from '../../../kinds/flowcontrol/v1beta1/priority-level-configuration.ts';
import type { FlowSchema as DeclaredFlowSchema } from '../../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfiguration } from '../../../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1beta2 = inGroup(groups.flowcontrol, 'v1beta2');

export type FlowSchema = DeclaredFlowSchema;
export const FlowSchema: ObjectKind<FlowSchema, false> = v1beta2.clusterWide('FlowSchema', 'flowschemas');

export type PriorityLevelConfiguration = DeclaredPriorityLevelConfiguration;
export const PriorityLevelConfiguration: ObjectKind<PriorityLevelConfiguration, false> = v1beta2.clusterWide(
  'PriorityLevelConfiguration',
  'prioritylevelconfigurations',
);

const v1beta1 = inGroup(groups.flowcontrol, 'v1beta1');

export type FlowSchemaV1beta1 = DeclaredFlowSchemaV1beta1;
export const FlowSchemaV1beta1: ObjectKind<FlowSchemaV1beta1, false> = v1beta1.clusterWide('FlowSchema', 'flowschemas');

export type PriorityLevelConfigurationV1beta1 = DeclaredPriorityLevelConfigurationV1beta1;
export const PriorityLevelConfigurationV1beta1: ObjectKind<PriorityLevelConfigurationV1beta1, false> =
  v1beta1.clusterWide('PriorityLevelConfiguration', 'prioritylevelconfigurations');
