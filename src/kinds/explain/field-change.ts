import { json, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const FieldChange = struct(
  'explain.v1alpha1.FieldChange',
  {
    path: f(1, string().required(), 'Path of the field, such as .spec.containers[name="web"].image.'),
    before: f(2, json().optional(), 'Value before; missing when there was none.'),
    after: f(3, json().optional(), 'Value after; missing when there is none.'),
  },
  { description: 'A field with two values. What came or went as a whole is one field.' },
);
export type FieldChange = Infer<typeof FieldChange>;
