import type { EndpointSlice as DeclaredEndpointSlice } from '../../../kinds/discovery/endpoint-slice.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const discovery = inGroup(groups.discovery, 'v1');

export type EndpointSlice = DeclaredEndpointSlice;
export const EndpointSlice: ObjectKind<EndpointSlice, true> = discovery.namespaced('EndpointSlice', 'endpointslices');
