import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import type { RuntimeClass } from './runtime-class.ts';

export const runtimeClassColumns: readonly Column<RuntimeClass>[] = [
  nameColumn,
  text('Handler', 'What the container runtime calls it.', ({ handler }) => handler),
  ageColumn,
];
