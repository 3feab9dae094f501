import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { FlowSchema as Newer } from '../v1beta2/flow-schema.ts';

export const FlowSchema = renamed(Newer, 'flowcontrol.v1beta2.', 'flowcontrol.v1beta1.');
export type FlowSchema = Infer<typeof FlowSchema>;
