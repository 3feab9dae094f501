import { LabelSelector } from '../../../meta/label-selector.ts';
import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const ParamRef = struct(
  'admissionregistration.v1.ParamRef',
  {
    name: f(1, string(), 'Name of the object. Excludes selector.'),
    namespace: f(
      2,
      string(),
      'Namespace of the objects. Unset: that of the request. Only for kinds that have a namespace.',
    ),
    selector: f(
      3,
      LabelSelector.optional(),
      'Labels of the objects; the policy is evaluated with each. Excludes name.',
    ),
    parameterNotFoundAction: f(
      4,
      string().optional(),
      'Where there is no such object: Allow passes the request, Deny leaves it to the failurePolicy of the policy.',
    ),
  },
  { description: 'The objects that a policy is evaluated with.' },
);
export type ParamRef = Infer<typeof ParamRef>;
