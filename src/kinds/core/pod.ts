import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';

export const Pod = kind('core.v1.Pod', {
  metadata: f(1, ObjectMeta),
  spec: f(2, PodSpec),
  status: f(3, PodStatus),
});
export type Pod = Infer<typeof Pod>;
