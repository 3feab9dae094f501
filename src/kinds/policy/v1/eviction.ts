import { f, type Infer, kind } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { DeleteOptions } from '../../meta/options.ts';

export const Eviction = kind(
  'policy.v1.Eviction',
  {
    metadata: f(1, ObjectMeta),
    deleteOptions: f(2, DeleteOptions.optional()),
  },
  { description: 'Asks for a pod to be moved away, within its disruption budget.' },
);
export type Eviction = Infer<typeof Eviction>;
