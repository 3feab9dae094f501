import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { runtimeClassColumns } from './columns.ts';
import { RuntimeClass } from './runtime-class.ts';
import { validateRuntimeClass, validateRuntimeClassUpdate } from './runtime-class-validation.ts';

export const nodeResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<RuntimeClass>({
    group: v.groups.node,
    version: 'v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    schema: RuntimeClass,
    nameRule: dns1123Subdomain,
    strategy: { createOnUpdate: true, unconditionalUpdate: false },
    columns: runtimeClassColumns,
    validate: validateRuntimeClass,
    rules: { validateUpdate: validateRuntimeClassUpdate },
  }),
];
