import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn, text, wide } from '../../columns.ts';
import { labels } from '../../printing.ts';
import { templateColumns } from '../pod/pod-template-columns.ts';
import type { ReplicationController } from './replication-controller.ts';

export const replicationControllerColumns: readonly Column<ReplicationController>[] = [
  nameColumn,
  integer('Desired', 'Pods wanted.', ({ spec }) => spec.replicas ?? 0),
  integer('Current', 'Pods that exist.', ({ status }) => status.replicas),
  integer('Ready', 'Pods that are ready.', ({ status }) => status.readyReplicas ?? 0),
  ageColumn,
  ...templateColumns<ReplicationController>(({ spec }) => spec.template),
  wide(text('Selector', 'Labels of the pods that count.', ({ spec }) => labels(spec.selector))),
];
