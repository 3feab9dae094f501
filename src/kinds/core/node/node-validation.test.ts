import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Node } from './node.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

const rules = { validate: validateNode };
const taint = { key: 'x.y/a', value: 'b', effect: 'NoSchedule' };

const rich = {
  spec: {
    taints: [taint, { ...taint, effect: 'NoExecute' }],
    podCIDRs: ['10.0.0.0/24', '2001:db8::/64'],
    providerID: 'p://1',
  },
  status: {
    capacity: { cpu: '4', memory: '1Gi', pods: '110', 'example.com/gpu': '2' },
    allocatable: { cpu: '3500m' },
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: '10.0.0.2' },
    ],
  },
};

describe('a node', () => {
  it('may be rich', () => {
    expect(problemsOf(Node, rules, rich)).toEqual([]);
  });

  it.each([
    [{ spec: { taints: [{ ...taint, key: '' }] } }, 'Invalid metadata.taints[0].key'],
    [{ spec: { taints: [{ ...taint, value: 'b c' }] } }, 'Invalid metadata.taints[0].value'],
    [{ spec: { taints: [{ ...taint, effect: '' }] } }, 'Required metadata.taints[0].effect'],
    [{ spec: { taints: [{ ...taint, effect: 'Odd' }] } }, 'NotSupported metadata.taints[0].effect'],
    [{ spec: { taints: [taint, { ...taint, value: 'c' }] } }, 'Duplicate metadata.taints[1]'],
    [{ spec: { podCIDRs: ['x'] } }, 'Invalid spec.podCIDRs[0]'],
    [{ spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } }, 'Invalid spec.podCIDRs'],
    [{ status: { capacity: { cpu: '-1' }, allocatable: { cpu: '1' } } }, 'Invalid status.capacity.cpu'],
    [{ status: { capacity: { pods: '500m' }, allocatable: { cpu: '1' } } }, 'Invalid status.capacity.pods'],
    [{ status: { allocatable: { cpu: '-1' } } }, 'Invalid status.allocatable.cpu'],
  ])('with %j is refused', (document, cause) => {
    expect(problemsOf(Node, rules, document)).toEqual([cause]);
  });

  it.each([
    [{ spec: { podCIDRs: ['10.0.0.0/24'] } }, ['Forbidden spec.podCIDRs']],
    [{ spec: { providerID: 'p://2' } }, ['Forbidden spec.providerID']],
    [{ spec: { externalID: 'e' } }, ['Forbidden spec.externalID']],
    [
      {
        status: {
          addresses: [
            { type: 'a', address: 'b' },
            { type: 'a', address: 'b' },
          ],
        },
      },
      ['Duplicate status.addresses[1]'],
    ],
    [{ spec: { unschedulable: true, taints: [] } }, []],
  ])('changed to %j: %j', (change, causes) => {
    expect(problemsOfChange(Node, validateNodeUpdate, rich, changed(rich, change))).toEqual(causes);
  });

  it('can be given what it does not have yet', () => {
    expect(
      problemsOfChange(Node, validateNodeUpdate, {}, { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'p' } }),
    ).toEqual([]);
  });
});
