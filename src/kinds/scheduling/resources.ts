import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { priorityClassColumns } from './columns.ts';
import { PriorityClass } from './priority-class.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './priority-class-validation.ts';
import { keepsSystemClass } from './system-priority-classes.ts';

export const schedulingResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<PriorityClass>({
    group: v.groups.scheduling,
    version: 'v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    namespaced: false,
    schema: PriorityClass,
    nameRule: dns1123Subdomain,
    strategy: { generation: true },
    // What a class means cannot change, so neither does its generation.
    bumpsGeneration: () => false,
    columns: priorityClassColumns,
    refusesDelete: keepsSystemClass,
    validate: validatePriorityClass,
    rules: { validateUpdate: validatePriorityClassUpdate },
  }),
];
