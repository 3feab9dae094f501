import type { Client } from '../support/client.ts';
import { CONFIG_MAPS, DRY, ENTRIES, entries, patch, post, type Shape, times } from './shape.ts';

const EXPLAIN = '/apis/explain.platform.io/v1alpha1';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const large = (name: string, size: number) => ({
  metadata: { name, labels: entries(size * ENTRIES, 'v'), annotations: entries(size * ENTRIES, 'v') },
  data: entries(size * ENTRIES, 'v'),
  binaryData: entries(size * ENTRIES, 'AAAA', 'b'),
});

/** A large object of several versions that differ everywhere. */
async function change(admin: Client, size: number): Promise<void> {
  await admin.request('POST', CONFIG_MAPS, large('past', size));
  for (const value of ['w', 'x', 'y', 'z']) {
    const data = entries(size * ENTRIES, value);
    await admin.request('PATCH', `${CONFIG_MAPS}/past`, { metadata: { annotations: data }, data }, MERGE);
  }
}

const object = { resource: 'configmaps', namespace: 'default', name: 'past' };

const asked = (name: string, plural: string, spec: (size: number) => object): Shape => ({
  name,
  prepare: change,
  ...post(`${EXPLAIN}/${plural}`, (size) => ({ spec: spec(size) })),
});

/** Questions about what is large, and long questions. */
export const LONG_QUESTION_SHAPES: readonly Shape[] = [
  asked('the history of a large object', 'objecthistories', () => ({ object, diffs: true })),
  asked('the owners of a large object', 'ownershipreviews', () => ({ object })),
  asked('a large document that might be applied', 'applypreviews', (size) => ({
    object,
    fieldManager: 'other',
    document: { apiVersion: 'v1', kind: 'ConfigMap', ...large('past', size) },
  })),
  asked('who can, for very many groups', 'whocanreviews', (size) => ({
    resourceAttributes: { verb: 'get', resource: 'r'.repeat(size * 2_000_000) },
  })),
  asked('the rules of a member of many groups', 'subjectrulesreviews', (size) => ({
    user: 'u',
    groups: times(size * 45_000, (at) => `g${at}`),
  })),
  {
    name: 'a large object whose admission is explained',
    ...post(`${CONFIG_MAPS}${DRY}&explain=admission`, (size) => large('explained', size)),
  },
  {
    name: 'a large change whose admission is explained',
    prepare: change,
    ...patch(`${CONFIG_MAPS}/past${DRY}&explain=admission`, MERGE['content-type'], (size) => ({
      data: entries(size * ENTRIES, 'q'),
    })),
  },
];
