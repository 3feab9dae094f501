import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, boolean, integer, nameColumn } from '../columns.ts';
import type { PriorityClass } from './priority-class.ts';

export const priorityClassColumns: readonly Column<PriorityClass>[] = [
  nameColumn,
  integer('Value', 'The priority; the higher goes first.', ({ value }) => value),
  boolean(
    'Global-Default',
    'Whether pods without a class get this one.',
    ({ globalDefault }) => globalDefault ?? false,
  ),
  ageColumn,
];
