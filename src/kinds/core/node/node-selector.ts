import { string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const NodeSelectorRequirement = struct(
  'core.v1.NodeSelectorRequirement',
  {
    key: f(
      1,
      string().required(),
      'Label of the node; in matchFields a field, of which only metadata.name is allowed.',
    ),
    operator: f(
      2,
      string().required().suggests('DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'),
      'In, NotIn, Exists, DoesNotExist, Gt or Lt: how the value on the node must relate to values. Fields know only In and NotIn.',
    ),
    values: f(
      3,
      list(string()),
      'Values to compare with: some for In and NotIn, one integer for Gt and Lt, none for Exists and DoesNotExist.',
    ),
  },
  { description: 'A condition on one label or field of nodes.' },
);
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct(
  'core.v1.NodeSelectorTerm',
  {
    matchExpressions: f(1, list(NodeSelectorRequirement), 'Conditions on labels of the node.'),
    matchFields: f(2, list(NodeSelectorRequirement), 'Conditions on fields of the node.'),
  },
  {
    description: 'Conditions on a node that must all hold. A term without conditions matches no node.',
    topology: { mapType: 'atomic' },
  },
);
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct(
  'core.v1.NodeSelector',
  {
    nodeSelectorTerms: f(
      1,
      list(NodeSelectorTerm).required(),
      'Alternatives, at least one; a node has to match one of them.',
    ),
  },
  { description: 'A set of nodes: those that match at least one of the terms.', topology: { mapType: 'atomic' } },
);
export type NodeSelector = Infer<typeof NodeSelector>;
