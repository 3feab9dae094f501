import type { GatedField } from '../../../registry/gated-fields.ts';
import type { Draft } from '../../../schema/draft.ts';
import type { Node } from './node.ts';

/** `podCIDR` is the first of `podCIDRs`. Where they disagree the former wins: old writers know only that one. */
export function prepareNode(node: Draft<Node>): void {
  const { spec } = node;
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}

export const NODE_GATED_FIELDS: readonly GatedField<Node>[] = [
  {
    feature: 'DynamicKubeletConfig',
    isUsed: ({ spec, status }) => spec.configSource !== undefined || status.config !== undefined,
    drop({ spec, status }) {
      delete spec.configSource;
      delete status.config;
    },
  },
];
