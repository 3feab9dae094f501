import { amount } from '../../../schema/scalars.ts';
import { f, type Infer, map, struct } from '../../../schema/schema.ts';

export const ResourceRequirements = struct(
  'core.v1.ResourceRequirements',
  {
    limits: f(
      1,
      map(amount()),
      'Most that may be used, by resource: cpu, memory and so on. Unset: no limit, unless the namespace has a default.',
    ),
    requests: f(
      2,
      map(amount()),
      'What is reserved, by resource. Unset: the limits, if there are any. Must not be more than these.',
    ),
  },
  { description: 'How much of each resource is needed, and how much may be used at most.' },
);
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
