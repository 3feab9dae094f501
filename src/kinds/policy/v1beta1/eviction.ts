import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { Eviction as Newer } from '../v1/eviction.ts';

export const Eviction = renamed(Newer, 'policy.v1.', 'policy.v1beta1.');
export type Eviction = Infer<typeof Eviction>;
