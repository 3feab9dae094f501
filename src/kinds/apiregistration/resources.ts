import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { APIService } from './api-service.ts';
import { prepareAPIService } from './api-service-preparation.ts';
import { validateAPIService, validateAPIServiceStatusUpdate } from './api-service-validation.ts';
import { apiServiceColumns } from './columns.ts';

export const apiregistrationResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<APIService>({
    group: v.groups.apiregistration,
    version: 'v1',
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    schema: APIService,
    nameRule: pathSegment,
    strategy: { unconditionalUpdate: false },
    columns: apiServiceColumns,
    prepareCreate: prepareAPIService,
    validate: validateAPIService,
    rules: { resets: ['status'] },
    subresources: {
      status: statusSubresource({
        resets: ['metadata', 'spec'],
        whole: false,
        validateUpdate: validateAPIServiceStatusUpdate,
      }),
    },
  }),
];
