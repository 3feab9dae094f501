import { describe, expect, it } from 'vitest';
import { causes, changed, readAs, TEST_CONTEXT } from '../../test/problems-of.ts';
import { dns1123Subdomain } from '../meta/formats.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { Problems } from '../schema/problems.ts';
import { validateFieldManager, validateMetadata, validateMetadataUpdate } from './metadata-validation.ts';

const spaced = { group: '', namespaced: true, nameRule: dns1123Subdomain };
const clusterWide = { ...spaced, namespaced: false };

const problemsOf = (document: unknown, type = spaced): string[] => {
  const problems = new Problems();
  validateMetadata(readAs(ObjectMeta, document), type, problems, TEST_CONTEXT);
  return causes(problems);
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const entry = { manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', subresource: 'status' };

const plain = { name: 'a', namespace: 'b' };
const rich = {
  ...plain,
  generateName: 'a-',
  generation: 3,
  labels: { 'x.y/a': 'b', c: '' },
  annotations: { 'X.y/A': 'any text\nat all' },
  ownerReferences: [
    { ...owner, controller: true },
    { ...owner, apiVersion: 'apps/v1' },
  ],
  finalizers: ['platform', 'orphan', 'x.y/z'],
  managedFields: [entry, { operation: 'Apply' }],
};

describe('metadata', () => {
  it('may be rich', () => {
    expect(problemsOf(rich)).toEqual([]);
  });

  it.each([
    [{ name: null }, 'Required metadata.name'],
    [{ name: 'A' }, 'Invalid metadata.name'],
    [{ name: 'a-' }, 'Invalid metadata.name'],
    [{ generateName: 'AB-' }, 'Invalid metadata.generateName'],
    [{ namespace: null }, 'Required metadata.namespace'],
    [{ namespace: 'a.b' }, 'Invalid metadata.namespace'],
    [{ generation: -1 }, 'Invalid metadata.generation'],
    [{ labels: { 'a b': 'c' } }, 'Invalid metadata.labels'],
    [{ labels: { a: 'b c' } }, 'Invalid metadata.labels'],
    [{ annotations: { 'a b': 'c' } }, 'Invalid metadata.annotations'],
    [{ annotations: { a: 'b'.repeat(256 * 1024) } }, 'TooLong metadata.annotations'],
    [{ ownerReferences: [{ ...owner, apiVersion: 'apps/' }] }, 'Invalid metadata.ownerReferences.apiVersion'],
    [{ ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }, 'Invalid metadata.ownerReferences.apiVersion'],
    [{ ownerReferences: [{ ...owner, kind: '' }] }, 'Invalid metadata.ownerReferences.kind'],
    [{ ownerReferences: [{ ...owner, name: '' }] }, 'Invalid metadata.ownerReferences.name'],
    [{ ownerReferences: [{ ...owner, uid: '' }] }, 'Invalid metadata.ownerReferences.uid'],
    [{ ownerReferences: [{ ...owner, kind: 'Event' }] }, 'Invalid metadata.ownerReferences'],
    [
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, controller: true },
        ],
      },
      'Invalid metadata.ownerReferences',
    ],
    [{ finalizers: ['x.y/a b'] }, 'Invalid metadata.finalizers'],
    [{ finalizers: ['x.y/z', 'unqualified'] }, 'Invalid metadata.finalizers[1]'],
    [{ finalizers: ['orphan', 'foregroundDeletion'] }, 'Invalid metadata.finalizers'],
    [{ managedFields: [{ ...entry, operation: 'Delete' }] }, 'Invalid metadata.managedFields[0].operation'],
    [{ managedFields: [{ ...entry, fieldsType: 'FieldsV2' }] }, 'Invalid metadata.managedFields[0].fieldsType'],
    [{ managedFields: [{ ...entry, manager: 'a'.repeat(129) }] }, 'TooLong metadata.managedFields[0].manager'],
    [{ managedFields: [entry, { ...entry, manager: 'a\u0007' }] }, 'Invalid metadata.managedFields[1].manager'],
    [{ managedFields: [{ ...entry, subresource: 'a'.repeat(257) }] }, 'TooLong metadata.managedFields[0].subresource'],
  ])('with %j is refused', (change, cause) => {
    expect(problemsOf(changed(plain, change))).toEqual([cause]);
  });

  it('has no namespace where the kind has none', () => {
    expect(problemsOf(plain, clusterWide)).toEqual(['Forbidden metadata.namespace']);
    expect(problemsOf({ name: 'a' }, clusterWide)).toEqual([]);
  });

  it('takes any name as a finalizer of custom kinds', () => {
    expect(problemsOf({ ...plain, finalizers: ['mine'] }, { ...spaced, group: 'example.com' })).toEqual([]);
  });
});

describe('a change of metadata', () => {
  const old = { ...plain, uid: 'u', generation: 2, deletionTimestamp: '2001-01-01T00:00:00Z', finalizers: ['x/a'] };
  const problemsOfChange = (change: unknown): string[] => {
    const problems = new Problems();
    validateMetadataUpdate(readAs(ObjectMeta, changed(old, change)), readAs(ObjectMeta, old), problems);
    return causes(problems);
  };

  it.each([
    [{ name: 'other' }, 'Invalid metadata.name'],
    [{ namespace: 'other' }, 'Invalid metadata.namespace'],
    [{ uid: 'other' }, 'Invalid metadata.uid'],
    [{ generation: 1 }, 'Invalid metadata.generation'],
    [{ deletionTimestamp: '2002-01-01T00:00:00Z' }, 'Invalid metadata.deletionTimestamp'],
    [{ deletionGracePeriodSeconds: 0 }, 'Invalid metadata.deletionGracePeriodSeconds'],
    [{ finalizers: ['x/a', 'x/b'] }, 'Forbidden metadata.finalizers'],
  ])('to %j is refused', (change, cause) => {
    expect(problemsOfChange(change)).toEqual([cause]);
  });

  it.each([{ uid: null }, { deletionTimestamp: null }, { labels: { a: 'b' } }, { finalizers: [] }, { generation: 3 }])(
    'to %j is fine',
    (change) => {
      expect(problemsOfChange(change)).toEqual([]);
    },
  );
});

it('says where a manager of fields has a character that does not print', () => {
  const problems = new Problems();
  validateFieldManager('é\u0007', 'fieldManager', problems);
  expect(problems.found).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'fieldManager',
      message: 'Invalid value: "é\\u0007": invalid character U+0007 (at position 2)',
    },
  ]);
});
