import { amount, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const LimitRangeItem = struct(
  'core.v1.LimitRangeItem',
  {
    type: f(1, string().required(), 'What it is about: Pod, Container or PersistentVolumeClaim.'),
    max: f(2, map(amount()), 'At most this.'),
    min: f(3, map(amount()), 'At least this.'),
    default: f(4, map(amount()), 'Limit of containers that name none.'),
    defaultRequest: f(5, map(amount()), 'Request of containers that name none.'),
    maxLimitRequestRatio: f(6, map(amount()), 'How many times the request a limit may be.'),
  },
  {
    defaults(item) {
      if (item.type !== 'Container') return;
      const limits = { ...item.max, ...item.default };
      const requests = { ...item.min, ...limits, ...item.defaultRequest };
      if (Object.keys(limits).length > 0) item.default = limits;
      if (Object.keys(requests).length > 0) item.defaultRequest = requests;
    },
  },
);
export type LimitRangeItem = Infer<typeof LimitRangeItem>;

export const LimitRangeSpec = struct('core.v1.LimitRangeSpec', {
  limits: f(1, list(LimitRangeItem).required()),
});
export type LimitRangeSpec = Infer<typeof LimitRangeSpec>;

export const LimitRange = kind(
  'core.v1.LimitRange',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, LimitRangeSpec),
  },
  { description: 'Bounds and defaults for what a single pod, container or claim in a namespace may use.' },
);
export type LimitRange = Infer<typeof LimitRange>;
