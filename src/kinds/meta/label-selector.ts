import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../schema/schema.ts';

export const LabelSelectorRequirement = struct('meta.v1.LabelSelectorRequirement', {
  key: f(1, string().required().mergeBy('key')),
  operator: f(2, string().required()),
  values: f(3, list(string())),
});
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'meta.v1.LabelSelector',
  {
    matchLabels: f(1, map(string())),
    matchExpressions: f(2, list(LabelSelectorRequirement)),
  },
  {
    description: 'Picks objects by their labels; all conditions must hold. Empty picks every object.',
    topology: { mapType: 'atomic' },
  },
);
export type LabelSelector = Infer<typeof LabelSelector>;
