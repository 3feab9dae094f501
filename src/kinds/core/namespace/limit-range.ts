import { ObjectMeta } from '../../../meta/object-meta.ts';
import { amount, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';

export const LimitRangeItem = struct(
  'core.v1.LimitRangeItem',
  {
    type: f(
      1,
      string().required(),
      'What the bounds apply to: Container, Pod (the sum of its containers), PersistentVolumeClaim, or a qualified name of a type of your own.',
    ),
    max: f(2, map(amount()), 'Largest amount allowed, by resource.'),
    min: f(3, map(amount()), 'Smallest amount allowed, by resource.'),
    default: f(
      4,
      map(amount()),
      'Limits for containers that set none, by resource. Not for type Pod. Unset: max, for type Container.',
    ),
    defaultRequest: f(
      5,
      map(amount()),
      'Requests for containers that set none, by resource. Not for type Pod. Unset: default, or else min, for type Container.',
    ),
    maxLimitRequestRatio: f(
      6,
      map(amount()),
      'How many times as large as the request a limit may be, by resource; both must then be set.',
    ),
  },
  {
    description: 'Bounds and defaults for one type of object.',
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

export const LimitRangeSpec = struct(
  'core.v1.LimitRangeSpec',
  {
    limits: f(1, list(LimitRangeItem).required(), 'One item for each type of object; each type at most once.'),
  },
  { description: 'The bounds and defaults of a LimitRange.' },
);
export type LimitRangeSpec = Infer<typeof LimitRangeSpec>;

export const LimitRange = kind(
  'core.v1.LimitRange',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    spec: f(2, LimitRangeSpec, 'Bounds and defaults that are enforced in the namespace.'),
  },
  {
    description:
      'Bounds and defaults for what one pod, container or claim in a namespace may use; checked when these are created or changed.',
  },
);
export type LimitRange = Infer<typeof LimitRange>;
