import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { endpointSliceColumns } from './columns.ts';
import { EndpointSlice } from './endpoint-slice.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice-validation.ts';

export const discoveryResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<EndpointSlice>({
    group: v.groups.discovery,
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    namespaced: true,
    schema: EndpointSlice,
    nameRule: dns1123Subdomain,
    strategy: { generation: true },
    bumpsGeneration: sliceBumpsGeneration,
    columns: endpointSliceColumns,
    prepareCreate: dropOldTopology,
    validate: validateEndpointSlice,
    rules: { prepareUpdate: dropOldTopology, validateUpdate: validateEndpointSliceUpdate },
  }),
];

/** Labels say which service a slice is for, so a change there is one of desired state. */
function sliceBumpsGeneration(slice: EndpointSlice, old: EndpointSlice): boolean {
  const { endpoints, ports, addressType } = old;
  return (
    !sameValue(slice.metadata.labels, old.metadata.labels) ||
    !sameValue(slice.endpoints, endpoints) ||
    !sameValue(slice.ports, ports) ||
    slice.addressType !== addressType
  );
}

/** Readable for the sake of slices from before this version, of which we have none. */
function dropOldTopology({ endpoints }: Draft<EndpointSlice>): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}
