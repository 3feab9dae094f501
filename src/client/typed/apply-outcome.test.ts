import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { conflictsIn } from './apply-outcome.ts';

const conflict = (message: string) =>
  new ApiError('Conflict', 'Apply failed', { causes: [{ reason: 'FieldManagerConflict', message, field: '.data.a' }] });

it.each([
  ['conflict with "one"', { manager: 'one', subresource: '', apiVersion: '' }],
  ['conflict with "one" using v1', { manager: 'one', subresource: '', apiVersion: 'v1' }],
  [
    'conflict with "a" with subresource "status" using apps/v1',
    { manager: 'a', subresource: 'status', apiVersion: 'apps/v1' },
  ],
  ['conflict with "one" using v1 at 2022-08-23T00:00:00Z', { manager: 'one', subresource: '', apiVersion: 'v1' }],
  ['3 more conflicts', { manager: '', subresource: '', apiVersion: '' }],
])('%s', (message, expected) => {
  expect(conflictsIn(conflict(message))).toEqual([{ ...expected, field: '.data.a', message }]);
});

it('other refusals are thrown', () => {
  const modified = new ApiError('Conflict', 'the object has been modified');
  expect(() => conflictsIn(modified)).toThrow(modified);
  const broken = new Error('no answer');
  expect(() => conflictsIn(broken)).toThrow(broken);
});
