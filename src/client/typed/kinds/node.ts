import type { RuntimeClass as DeclaredRuntimeClass } from '../../../kinds/node/runtime-class.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const node = inGroup(groups.node, 'v1');

export type RuntimeClass = DeclaredRuntimeClass;
export const RuntimeClass: ObjectKind<RuntimeClass, false> = node.clusterWide('RuntimeClass', 'runtimeclasses');
