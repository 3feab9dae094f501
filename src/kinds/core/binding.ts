import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { ObjectReference } from './references.ts';

export const Binding = kind(
  'core.v1.Binding',
  {
    metadata: f(1, ObjectMeta),
    target: f(2, ObjectReference.required()),
  },
  { description: 'Puts a pod onto a node.' },
);
export type Binding = Infer<typeof Binding>;
