import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { EndpointSlice } from '../../discovery/endpoint-slice.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from '../../discovery/endpoint-slice-validation.ts';
import { Endpoints } from './endpoints.ts';
import { validateEndpoints } from './endpoints-validation.ts';

const address = { ip: '10.0.0.1', hostname: 'h', nodeName: 'n' };
const port = { name: 'a', port: 80, protocol: 'TCP', appProtocol: 'x.y/z' };

describe('endpoints', () => {
  it.each([
    [{ addresses: [address], ports: [port, { ...port, name: 'b' }] }, []],
    [{ notReadyAddresses: [address] }, []],
    [{}, ['Required subsets[0]']],
    [{ addresses: [{ ip: 'x' }] }, ['Invalid subsets[0].addresses[0].ip']],
    [{ notReadyAddresses: [{ ip: '127.0.0.1' }] }, ['Invalid subsets[0].notReadyAddresses[0].ip']],
    [{ addresses: [{ ...address, hostname: 'A' }] }, ['Invalid subsets[0].addresses[0].hostname']],
    [{ addresses: [{ ...address, nodeName: 'A' }] }, ['Invalid subsets[0].addresses[0].nodeName']],
    [{ addresses: [address], ports: [port, { ...port, name: '' }] }, ['Required subsets[0].ports[1].name']],
    [{ addresses: [address], ports: [{ ...port, name: 'A' }] }, ['Invalid subsets[0].ports[0].name']],
    [{ addresses: [address], ports: [{ ...port, port: 0 }] }, ['Invalid subsets[0].ports[0].port']],
    [{ addresses: [address], ports: [{ ...port, protocol: 'X' }] }, ['NotSupported subsets[0].ports[0].protocol']],
    [{ addresses: [address], ports: [{ ...port, appProtocol: 'a b' }] }, ['Invalid subsets[0].ports[0].appProtocol']],
  ])('of %j: %j', (subset, causes) => {
    expect(problemsOf(Endpoints, { validate: validateEndpoints }, { subsets: [subset] })).toEqual(causes);
  });
});

describe('an endpoint slice', () => {
  const endpoint = { addresses: ['10.0.0.1'], nodeName: 'n', hostname: 'h', hints: { forZones: [{ name: 'a' }] } };
  const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
  const slice = (one: unknown, addressType = 'IPv4', ports: unknown[] = [{ name: 'a', port: 80 }]) => ({
    addressType,
    endpoints: [one],
    ports,
  });

  it.each([
    [slice(endpoint), []],
    [slice({ ...endpoint, addresses: ['::2'] }, 'IPv6'), []],
    [slice({ ...endpoint, addresses: ['a.b'] }, 'FQDN'), []],
    [slice(endpoint, ''), ['Required addressType']],
    [slice(endpoint, 'Odd'), ['NotSupported addressType']],
    [slice({ addresses: [] }), ['Required endpoints[0].addresses']],
    [slice({ addresses: many(101) }), ['TooMany endpoints[0].addresses']],
    [slice({ addresses: ['::2'] }), ['Invalid endpoints[0].addresses[0]']],
    [slice({ addresses: ['127.0.0.1'] }), ['Invalid endpoints[0].addresses[0]']],
    [slice({ addresses: ['a'] }, 'FQDN'), ['Invalid endpoints[0].addresses[0]']],
    [slice({ ...endpoint, nodeName: 'A' }), ['Invalid endpoints[0].nodeName']],
    [slice({ ...endpoint, hostname: 'A' }), ['Invalid endpoints[0].hostname']],
    [slice({ ...endpoint, deprecatedTopology: { 'a b': '' } }), ['Invalid endpoints[0].deprecatedTopology']],
    [
      slice({ ...endpoint, deprecatedTopology: Object.fromEntries(many(17).map((key) => [key, ''])) }),
      ['TooMany endpoints[0].deprecatedTopology'],
    ],
    [
      slice({ ...endpoint, hints: { forZones: [{ name: 'a' }, { name: 'a' }] } }),
      ['Duplicate endpoints[0].hints.forZones[1].name'],
    ],
    [slice({ ...endpoint, hints: { forZones: [{ name: 'a b' }] } }), ['Invalid endpoints[0].hints.forZones[0].name']],
    [
      slice({ ...endpoint, hints: { forZones: many(9).map((name) => ({ name })) } }),
      ['TooMany endpoints[0].hints.forZones'],
    ],
    [{ addressType: 'IPv4', endpoints: many(1001).map((one) => ({ addresses: [one] })) }, ['TooMany endpoints']],
    [slice(endpoint, 'IPv4', [{ name: 'A' }]), ['Invalid ports[0].name']],
    [slice(endpoint, 'IPv4', [{}, {}]), ['Duplicate ports[1].name']],
    [slice(endpoint, 'IPv4', [{ protocol: 'X' }]), ['NotSupported ports[0].protocol']],
    [slice(endpoint, 'IPv4', [{ appProtocol: 'a b' }]), ['Invalid ports[0].appProtocol']],
  ])('%#: %j', (document, causes) => {
    expect(problemsOf(EndpointSlice, { validate: validateEndpointSlice }, document)).toEqual(causes);
  });

  it('keeps the type of its addresses', () => {
    const before = { addressType: 'IPv4', endpoints: [] };
    const change = problemsOfChange(EndpointSlice, validateEndpointSliceUpdate, before, {
      ...before,
      addressType: 'IPv6',
    });
    expect(change).toEqual(['Invalid addressType']);
  });
});
