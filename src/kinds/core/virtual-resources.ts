import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import { Binding } from './binding.ts';
import { componentStatusColumns } from './columns.ts';
import { ComponentStatus } from './component-status.ts';

const core = { group: '', version: 'v1', nameRule: pathSegment } as const;

/** What can be posted or read but is not stored. */
export const virtualResources: readonly ResourceType[] = [
  resourceType<Binding>({
    ...core,
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    verbs: ['create'],
    schema: Binding,
  }),
  resourceType<ComponentStatus>({
    ...core,
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    namespaced: false,
    verbs: ['get', 'list'],
    schema: ComponentStatus,
    columns: componentStatusColumns,
    deprecation: { deprecatedIn: '1.19' },
  }),
];
