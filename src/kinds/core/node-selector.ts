import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const NodeSelectorRequirement = struct('core.v1.NodeSelectorRequirement', {
  key: f(1, string().required()),
  operator: f(2, string().required().suggests('DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn')),
  values: f(3, list(string())),
});
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct(
  'core.v1.NodeSelectorTerm',
  {
    matchExpressions: f(1, list(NodeSelectorRequirement)),
    matchFields: f(2, list(NodeSelectorRequirement)),
  },
  { topology: { mapType: 'atomic' } },
);
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct(
  'core.v1.NodeSelector',
  {
    nodeSelectorTerms: f(1, list(NodeSelectorTerm).required()),
  },
  { topology: { mapType: 'atomic' } },
);
export type NodeSelector = Infer<typeof NodeSelector>;
