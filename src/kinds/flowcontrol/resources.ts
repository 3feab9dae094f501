import { dns1123Subdomain } from '../../meta/formats.ts';
import { type Deprecation, type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { olderVersion } from '../older-version.ts';
import { FlowSchema as OlderFlowSchema } from './v1beta1/flow-schema.ts';
import { PriorityLevelConfiguration as OlderPriorityLevel } from './v1beta1/priority-level-configuration.ts';
import { byPrecedence, flowSchemaColumns, priorityLevelConfigurationColumns } from './v1beta2/columns.ts';
import { FlowSchema } from './v1beta2/flow-schema.ts';
import { validateFlowSchema, validateFlowSchemaStatusUpdate } from './v1beta2/flow-schema-validation.ts';
import { PriorityLevelConfiguration } from './v1beta2/priority-level-configuration.ts';
import {
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
} from './v1beta2/priority-level-configuration-validation.ts';

export function flowcontrolResources(v: Vocabulary): readonly ResourceType[] {
  const flowcontrol = {
    group: v.groups.flowcontrol,
    version: 'v1beta2',
    namespaced: false,
    nameRule: dns1123Subdomain,
    strategy: { generation: true },
  } as const;
  const flowSchemas = resourceType<FlowSchema>({
    ...flowcontrol,
    kind: 'FlowSchema',
    plural: 'flowschemas',
    schema: FlowSchema,
    columns: flowSchemaColumns,
    rowOrder: byPrecedence,
    validate: validateFlowSchema,
    rules: { resets: ['status'] },
    subresources: {
      status: statusSubresource({
        resets: ['metadata', 'spec'],
        whole: false,
        validateUpdate: validateFlowSchemaStatusUpdate,
      }),
    },
  });
  const priorityLevels = resourceType<PriorityLevelConfiguration>({
    ...flowcontrol,
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    schema: PriorityLevelConfiguration,
    columns: priorityLevelConfigurationColumns,
    validate: validatePriorityLevelConfiguration,
    rules: { resets: ['status'] },
    subresources: {
      status: statusSubresource({
        resets: ['metadata', 'spec'],
        whole: false,
        validateUpdate: validatePriorityLevelConfigurationStatusUpdate,
      }),
    },
  });
  const inFavourOf = ({ group, version, kind }: Pick<ResourceType, 'group' | 'version' | 'kind'>): Deprecation => ({
    deprecatedIn: '1.23',
    removedIn: '1.26',
    replacement: `${group}/${version} ${kind}`,
  });
  return [
    flowSchemas,
    priorityLevels,
    olderVersion(flowSchemas, {
      version: 'v1beta1',
      schema: OlderFlowSchema,
      deprecation: inFavourOf(flowSchemas),
    }),
    olderVersion(priorityLevels, {
      version: 'v1beta1',
      schema: OlderPriorityLevel,
      deprecation: inFavourOf(priorityLevels),
    }),
  ];
}
