import type { PriorityClass as DeclaredPriorityClass } from '../../../kinds/scheduling/priority-class.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const scheduling = inGroup(groups.scheduling, 'v1');

export type PriorityClass = DeclaredPriorityClass;
export const PriorityClass = scheduling.clusterWide<PriorityClass>('PriorityClass', 'priorityclasses');
