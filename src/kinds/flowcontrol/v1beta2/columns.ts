import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../../columns.ts';
import { NONE } from '../../printing.ts';
import type { FlowSchema } from './flow-schema.ts';
import type { PriorityLevelConfiguration } from './priority-level-configuration.ts';

export const flowSchemaColumns: readonly Column<FlowSchema>[] = [
  nameColumn,
  text('PriorityLevel', 'Where matching requests queue.', ({ spec }) => spec.priorityLevelConfiguration.name),
  text('MatchingPrecedence', 'The lowest that matches wins.', ({ spec }) => spec.matchingPrecedence),
  text('DistinguisherMethod', 'What tells flows apart.', ({ spec }) => spec.distinguisherMethod?.type ?? NONE),
  ageColumn,
  text(
    'MissingPL',
    'Whether the priority level does not exist.',
    ({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ),
];

/** As requests are held against them: the first that matches counts. */
export const byPrecedence = (a: FlowSchema, b: FlowSchema): number =>
  a.spec.matchingPrecedence - b.spec.matchingPrecedence || compareText(a.metadata.name ?? '', b.metadata.name ?? '');

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const priorityLevelConfigurationColumns: readonly Column<PriorityLevelConfiguration>[] = [
  nameColumn,
  text('Type', 'Limited, or exempt from limits.', ({ spec }) => spec.type),
  text(
    'AssuredConcurrencyShares',
    'Its part of the server.',
    ({ spec }) => spec.limited?.assuredConcurrencyShares ?? NONE,
  ),
  text('Queues', 'Number of queues.', (level) => queuing(level)?.queues ?? NONE),
  text('HandSize', 'Queues that one flow may use.', (level) => queuing(level)?.handSize ?? NONE),
  text('QueueLengthLimit', 'Requests that may wait in a queue.', (level) => queuing(level)?.queueLengthLimit ?? NONE),
  ageColumn,
];

function queuing({ spec }: PriorityLevelConfiguration) {
  return spec.limited?.limitResponse.queuing;
}
