import type { APIService as DeclaredAPIService } from '../../../kinds/apiregistration/api-service.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const apiregistration = inGroup(groups.apiregistration, 'v1');

export type APIService = DeclaredAPIService;
export const APIService: ObjectKind<APIService, false> = apiregistration.clusterWide('APIService', 'apiservices');
