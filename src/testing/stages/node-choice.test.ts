import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../client/index.ts';
import { amountsIn, type Candidate, chooseNode } from './node-choice.ts';

interface NodeParts {
  readonly labels?: Record<string, string>;
  readonly spec?: object;
  readonly ready?: string;
  readonly used?: Record<string, number>;
  readonly deletionTimestamp?: string;
}

function candidate(name: string, parts: NodeParts = {}): Candidate {
  const { labels = {}, spec = {}, ready = 'True', used = {}, deletionTimestamp } = parts;
  const node = {
    metadata: { name, labels, deletionTimestamp },
    spec,
    status: { conditions: [{ type: 'Ready', status: ready }] },
  };
  return { node: node as unknown as Node, allocatable: amountsIn({ cpu: '2', memory: '1Gi', pods: '3' }), used };
}

const pod = (spec: object = {}): Pod => ({ metadata: {}, spec: { containers: [], ...spec } }) as unknown as Pod;

const asking = (cpu: string) => ({ resources: { requests: { cpu } } });

const TAINT = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

describe('a pod goes to', () => {
  it('the node with the fewest pods, of several to the first', () => {
    expect(chooseNode(pod(), [candidate('a', { used: { pods: 2 } }), candidate('b'), candidate('c')])).toBe('b');
  });

  it.each<[string, NodeParts]>([
    ['that is not ready', { ready: 'False' }],
    ['that is cordoned', { spec: { unschedulable: true } }],
    ['that is being deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
    ['with a taint', { spec: { taints: [TAINT] } }],
    ['with a taint that evicts', { spec: { taints: [{ ...TAINT, effect: 'NoExecute' }] } }],
    ['that is full of pods', { used: { pods: 3 } }],
  ])('no node %s', (_what, parts) => {
    expect(chooseNode(pod(), [candidate('a', parts)])).toBeUndefined();
  });

  it('a node with a taint that only prefers others', () => {
    const taints = [{ ...TAINT, effect: 'PreferNoSchedule' }];
    expect(chooseNode(pod(), [candidate('a', { spec: { taints } })])).toBe('a');
  });

  it.each([
    [{ key: 'gpu', operator: 'Exists' }, 'a'],
    [{ operator: 'Exists' }, 'a'],
    [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }, 'a'],
    [{ key: 'gpu', value: 'no' }, undefined],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, undefined],
  ])('a tainted node where it tolerates %o: %s', (toleration, chosen) => {
    const tainted = candidate('a', { spec: { taints: [TAINT] } });
    expect(chooseNode(pod({ tolerations: [toleration] }), [tainted])).toBe(chosen);
  });

  it('a node that has all labels that it selects by', () => {
    const nodes = [candidate('a', { labels: { zone: '1' } }), candidate('b', { labels: { zone: '1', disk: 'ssd' } })];
    expect(chooseNode(pod({ nodeSelector: { zone: '1', disk: 'ssd' } }), nodes)).toBe('b');
  });

  it('a node that has as much left as its containers ask for together, or its largest init container', () => {
    const nodes = [candidate('a', { used: { cpu: 1 } })];
    expect(chooseNode(pod({ containers: [asking('500m'), asking('500m')] }), nodes)).toBe('a');
    expect(chooseNode(pod({ containers: [asking('500m'), asking('501m')] }), nodes)).toBeUndefined();
    expect(chooseNode(pod({ initContainers: [asking('1'), asking('900m')] }), nodes)).toBe('a');
    expect(chooseNode(pod({ initContainers: [asking('1100m')] }), nodes)).toBeUndefined();
  });
});
