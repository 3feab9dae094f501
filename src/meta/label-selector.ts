import { string } from '../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../schema/schema.ts';

export const LabelSelectorRequirement = struct(
  'meta.v1.LabelSelectorRequirement',
  {
    key: f(1, string().required().mergeBy('key'), 'The label that is looked at.'),
    operator: f(
      2,
      string().required(),
      'In and NotIn compare with values; Exists and DoesNotExist only look whether the label is there.',
    ),
    values: f(3, list(string()), 'At least one value for In and NotIn; must be empty for Exists and DoesNotExist.'),
  },
  { description: 'One condition on a label.' },
);
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'meta.v1.LabelSelector',
  {
    matchLabels: f(1, map(string()), 'Labels with the exact values that they must have.'),
    matchExpressions: f(2, list(LabelSelectorRequirement), 'Further conditions on labels.'),
  },
  {
    description: 'Selects objects by their labels; all conditions must hold. An empty selector selects every object.',
    topology: { mapType: 'atomic' },
  },
);
export type LabelSelector = Infer<typeof LabelSelector>;
