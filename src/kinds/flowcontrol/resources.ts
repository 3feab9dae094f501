import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary.ts';
import { dns1123Subdomain } from '../formats.ts';
import { flowSchemaColumns, priorityLevelConfigurationColumns } from './v1beta2/columns.ts';
import { FlowSchema } from './v1beta2/flow-schema.ts';
import { PriorityLevelConfiguration } from './v1beta2/priority-level-configuration.ts';

export function flowcontrolResources(v: Vocabulary): readonly ResourceType[] {
  const flowcontrol = {
    group: v.groups.flowcontrol,
    version: 'v1beta2',
    namespaced: false,
    nameRule: dns1123Subdomain,
    strategy: { generation: true },
  } as const;
  return [
    resourceType<FlowSchema>({
      ...flowcontrol,
      kind: 'FlowSchema',
      plural: 'flowschemas',
      schema: FlowSchema,
      columns: flowSchemaColumns,
      rules: { resets: ['status'] },
      subresources: { status: statusSubresource({ resets: ['metadata', 'spec'], whole: false }) },
    }),
    resourceType<PriorityLevelConfiguration>({
      ...flowcontrol,
      kind: 'PriorityLevelConfiguration',
      plural: 'prioritylevelconfigurations',
      schema: PriorityLevelConfiguration,
      columns: priorityLevelConfigurationColumns,
      rules: { resets: ['status'] },
      subresources: { status: statusSubresource({ resets: ['metadata', 'spec'], whole: false }) },
    }),
  ];
}
