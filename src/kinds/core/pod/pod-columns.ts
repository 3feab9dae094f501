import type { Column, RowCondition } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text, wide } from '../../columns.ts';
import { age, NONE } from '../../printing.ts';
import type { Pod } from './pod.ts';
import { summarisePod } from './pod-summary.ts';

export const podColumns: readonly Column<Pod>[] = [
  nameColumn,
  text('Ready', 'Containers that are ready, of all.', readyContainers),
  text('Status', 'What the pod is doing, or what keeps it from doing it.', (pod) => summarisePod(pod).status),
  text('Restarts', 'How often containers were started again, and when last.', restarts),
  ageColumn,
  wide(text('IP', 'Address of the pod.', ({ status }) => status.podIPs?.[0]?.ip || NONE)),
  wide(text('Node', 'Node the pod is placed on.', ({ spec }) => spec.nodeName || NONE)),
  wide(text('Nominated Node', 'Node where room is being made.', ({ status }) => status.nominatedNodeName || NONE)),
  wide(text('Readiness Gates', 'Extra conditions for readiness that are met, of all.', readinessGates)),
];

function readyContainers(pod: Pod): string {
  return `${summarisePod(pod).ready}/${pod.spec.containers?.length ?? 0}`;
}

function restarts(pod: Pod, now: number): string {
  const { restarts, lastRestart } = summarisePod(pod);
  return lastRestart === undefined ? `${restarts}` : `${restarts} (${age(lastRestart, now)} ago)`;
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const statuses = new Map(status.conditions?.toReversed().map((condition) => [condition.type, condition.status]));
  const met = gates.filter(({ conditionType }) => statuses.get(conditionType) === 'True');
  return `${met.length}/${gates.length}`;
}

/** A pod that has ended is marked, so that clients can hide it. */
export function podRowConditions({ status: { phase } }: Pod): readonly RowCondition[] {
  if (phase !== 'Succeeded' && phase !== 'Failed') return [];
  return [{ type: 'Completed', status: 'True', reason: phase }];
}
