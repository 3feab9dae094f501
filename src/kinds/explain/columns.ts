import { qualifiedResource } from '../../api/errors.ts';
import type { Column } from '../../registry/resource-type.ts';
import { integer, nameColumn, text, wide } from '../columns.ts';
import { age } from '../printing.ts';
import type { Denial } from './denial.ts';

export const denialColumns: readonly Column<Denial>[] = [
  nameColumn,
  text('User', 'Who was refused.', ({ spec }) => spec.user ?? ''),
  text(
    'Verb',
    'What was to be done.',
    ({ spec }) => spec.resourceAttributes?.verb ?? spec.nonResourceAttributes?.verb ?? '',
  ),
  text('Resource', 'What it was to be done with: a resource or a path.', ({ spec }) => targetOf(spec)),
  text('Namespace', 'Where.', ({ spec }) => spec.resourceAttributes?.namespace ?? ''),
  text('Object', 'The name of the object, where one was named.', ({ spec }) => spec.resourceAttributes?.name ?? ''),
  integer('Count', 'How often.', ({ request }) => request.count ?? 0),
  text('Last', 'Time since it was refused last.', ({ request }, now) => age(request.lastTime, now)),
  wide(text('Impersonator', 'Who asked as the one that was refused.', ({ request }) => request.impersonator ?? '')),
];

function targetOf({ resourceAttributes, nonResourceAttributes }: Denial['spec']): string {
  if (!resourceAttributes) return nonResourceAttributes?.path ?? '';
  const { group = '', resource = '', subresource = '' } = resourceAttributes;
  return `${qualifiedResource({ group, resource })}${subresource === '' ? '' : `/${subresource}`}`;
}
