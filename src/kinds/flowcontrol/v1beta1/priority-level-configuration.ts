import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { PriorityLevelConfiguration as Newer } from '../v1beta2/priority-level-configuration.ts';

export const PriorityLevelConfiguration = renamed(Newer, 'flowcontrol.v1beta2.', 'flowcontrol.v1beta1.');
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
