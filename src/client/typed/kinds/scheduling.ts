import type { PriorityClass as DeclaredPriorityClass } from '../../../kinds/scheduling/priority-class.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const scheduling = inGroup(groups.scheduling, 'v1');

export type PriorityClass = DeclaredPriorityClass;
export const PriorityClass: ObjectKind<PriorityClass, false> = scheduling.clusterWide(
  'PriorityClass',
  'priorityclasses',
);
