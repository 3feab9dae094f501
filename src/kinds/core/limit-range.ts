import { quantity, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const LimitRangeItem = struct('core.v1.LimitRangeItem', {
  type: f(1, string().required()),
  max: f(2, map(quantity())),
  min: f(3, map(quantity())),
  default: f(4, map(quantity())),
  defaultRequest: f(5, map(quantity())),
  maxLimitRequestRatio: f(6, map(quantity())),
});
export type LimitRangeItem = Infer<typeof LimitRangeItem>;

export const LimitRangeSpec = struct('core.v1.LimitRangeSpec', {
  limits: f(1, list(LimitRangeItem).required()),
});
export type LimitRangeSpec = Infer<typeof LimitRangeSpec>;

export const LimitRange = kind('core.v1.LimitRange', {
  metadata: f(1, ObjectMeta),
  spec: f(2, LimitRangeSpec),
});
export type LimitRange = Infer<typeof LimitRange>;
