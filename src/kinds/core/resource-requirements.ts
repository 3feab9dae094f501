import { quantity } from '../../schema/scalars.ts';
import { f, type Infer, map, struct } from '../../schema/schema.ts';

export const ResourceRequirements = struct('core.v1.ResourceRequirements', {
  limits: f(1, map(quantity())),
  requests: f(2, map(quantity())),
});
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
