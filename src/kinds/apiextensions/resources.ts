import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type CustomResourceDefinition, customResourceDefinition } from './custom-resource-definition.ts';
import { beginTermination, noteStoredVersion, prepareDefinition } from './definition-preparation.ts';
import {
  validateDefinition,
  validateDefinitionCreate,
  validateDefinitionRules,
  validateDefinitionUpdate,
} from './definition-validation.ts';

export const apiextensionsResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<CustomResourceDefinition>({
    group: v.groups.apiextensions,
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    schema: customResourceDefinition(v),
    nameRule: dns1123Subdomain,
    strategy: { unconditionalUpdate: false, generation: true },
    prepareCreate: prepareDefinition,
    deletionFinalizer: v.finalizers.customResourceCleanup,
    beginDeletion: beginTermination,
    validate: validateDefinition,
    validateCreate: validateDefinitionCreate,
    validateInSteps: validateDefinitionRules,
    rules: { resets: ['status'], prepareUpdate: noteStoredVersion, validateUpdate: validateDefinitionUpdate },
    subresources: {
      // Whoever has rewritten all objects says here which versions are left; an update of the definition checks that.
      status: statusSubresource({ resets: ['metadata', 'spec'], whole: false }),
    },
  }),
];
