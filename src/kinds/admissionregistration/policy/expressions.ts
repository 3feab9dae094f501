import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const MatchCondition = struct(
  'admissionregistration.v1.MatchCondition',
  {
    name: f(1, string().required(), 'Names the condition in messages; a qualified name, unique in its list.'),
    expression: f(
      2,
      string().required(),
      'Expression that gives true for requests that are of interest. It may use object, oldObject, request and authorizer.',
    ),
  },
  { description: 'A condition that a request has to meet, besides being matched by rules.' },
);
export type MatchCondition = Infer<typeof MatchCondition>;

export const Variable = struct(
  'admissionregistration.v1.Variable',
  {
    name: f(1, string().required(), 'An identifier: the expression named foo is variables.foo elsewhere.'),
    expression: f(
      2,
      string().required(),
      'Expression that gives the value. It may use variables that are listed before.',
    ),
  },
  { description: 'An expression under a name, for use in other expressions of the policy.' },
);
export type Variable = Infer<typeof Variable>;

export const ParamKind = struct(
  'admissionregistration.v1.ParamKind',
  {
    apiVersion: f(1, string(), 'Group and version of the kind, such as example.com/v1.'),
    kind: f(2, string(), 'The kind.'),
  },
  { description: 'The kind of the objects that parameterize a policy.' },
);
export type ParamKind = Infer<typeof ParamKind>;
