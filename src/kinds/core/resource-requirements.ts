import { amount } from '../../schema/scalars.ts';
import { f, type Infer, map, struct } from '../../schema/schema.ts';

export const ResourceRequirements = struct('core.v1.ResourceRequirements', {
  limits: f(1, map(amount())),
  requests: f(2, map(amount())),
});
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
