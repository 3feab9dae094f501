import { expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../../../meta/object-meta.ts';
import { migratedEntries } from './client-side-migration.ts';

const entry = (manager: string, operation: string, fieldsV1: object, subresource = ''): ManagedFieldsEntry =>
  ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    subresource,
  }) as unknown as ManagedFieldsEntry;

it('fields that a client wrote become those of the applier, who keeps its own; those of others stay', () => {
  const theirs = entry('controller', 'Update', { 'f:status': {} }, 'status');
  const entries = [
    entry('platformctl', 'Apply', { 'f:data': { 'f:a': {} } }),
    entry('kubectl-client-side-apply', 'Update', { 'f:data': { '.': {}, 'f:b': {} } }),
    theirs,
  ];
  expect(migratedEntries(entries, 'platformctl')).toEqual([
    theirs,
    entry('platformctl', 'Apply', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }),
  ]);
});

it('an applier that has none yet takes the place of the client', () => {
  const [only] = migratedEntries([entry('platformctl-client-side-apply', 'Update', { 'f:data': {} })], 'me');
  expect(only).toEqual(entry('me', 'Apply', { 'f:data': {} }));
});
