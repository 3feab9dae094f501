import { expect, it } from 'vitest';
import { FieldSet } from '../apply/field-set.ts';
import { Owner } from '../apply/owners.ts';
import { OwnershipConflict } from '../apply/ownership.ts';
import { ownershipConflict } from './ownership-conflict.ts';

const ownerNamed = (manager: string): Owner =>
  Owner.of({ manager, operation: 'Apply', apiVersion: 'v1', subresource: '' }, FieldSet.EMPTY, '');
const [one, two] = [ownerNamed('one'), ownerNamed('two')];

it('conflicts are told by owner, with a cause for each field', () => {
  const { message, details } = ownershipConflict(
    new OwnershipConflict([
      { owner: two, path: ['f:data', 'f:a'] },
      { owner: one, path: ['f:data', 'f:b'] },
      { owner: two, path: ['f:data', 'f:c'] },
    ]),
  );
  expect(message).toBe(
    'Apply failed with 3 conflicts: conflicts with "one":\n- .data.b\nconflicts with "two":\n- .data.a\n- .data.c',
  );
  expect(details.causes).toHaveLength(3);
});

it('of very many conflicts the first thousand are told, and how many more there are', () => {
  const conflicts = Array.from({ length: 20_000 }, (_, at) => ({ owner: one, path: ['f:data', `f:k${at}`] }));
  const { message, details } = ownershipConflict(new OwnershipConflict(conflicts));
  expect(message).toMatch(/^Apply failed with 20000 conflicts: .*\nand 19000 more$/s);
  expect(details.causes).toHaveLength(1_001);
  expect(details.causes?.at(-1)?.message).toBe('19000 more conflicts');
});
